/** The style of all pages: legible on a phone, in light and dark, from left to right and from right to left. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--paper:#fff;--ink:#1d2125;--soft:#5a6470;--line:#8b95a1;--rule:#d9dee3;
--accent:#1f5fbf;--on-accent:#fff;--bad:#a4161a;--bad-paper:#fdecec;--good:#19692c;--good-paper:#e9f6ec}
@media (prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e6e9ec;--soft:#a5afba;--line:#76818d;--rule:#333a41;
--accent:#8ab4f8;--on-accent:#10131a;--bad:#ff9c9c;--bad-paper:#3a1d1f;--good:#8fd9a3;--good-paper:#16301d}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:26rem;margin:0 auto;padding:0 1rem}
.wide main,.wide header,.wide footer{max-width:46rem}
header{padding-top:2rem;color:var(--soft);font-weight:600}
footer{padding-bottom:2rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0 1.5rem}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem}
p{margin:0 0 1rem}
a{color:var(--accent)}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
.check{font-weight:400;display:flex;gap:.5rem;align-items:start}
.check input{width:1.2rem;height:1.2rem;margin:.15rem 0 0;flex:none}
.hint{color:var(--soft);font-size:.9rem;margin:.25rem 0 0}
input,select,textarea{font:inherit;color:inherit;background:var(--paper);width:100%;padding:.6rem .7rem;border:1px solid var(--line);
border-radius:.4rem}
button,.button{font:inherit;font-weight:600;display:block;width:100%;margin:1.25rem 0 0;padding:.65rem 1rem;border:1px solid var(--accent);
border-radius:.4rem;background:var(--accent);color:var(--on-accent);text-align:center;text-decoration:none;cursor:pointer}
button.quiet,.button.quiet{background:transparent;color:var(--accent)}
button.small{display:inline-block;width:auto;margin:0;padding:.3rem .7rem;font-size:.9rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.notice{padding:.75rem 1rem;border-radius:.4rem;border-inline-start:4px solid;margin:0 0 1.25rem}
.notice.bad{color:var(--bad);background:var(--bad-paper)}
.notice.good{color:var(--good);background:var(--good-paper)}
.or{color:var(--soft);text-align:center;margin:1.5rem 0 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--rule)}
code{font:.95rem ui-monospace,monospace}
.codes{columns:2;padding-inline-start:1.5rem}
.qr svg{width:13rem;max-width:100%;height:auto;display:block;background:#fff;border-radius:.4rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`;
