/**
 * The style of all pages: legible on a phone, in light and dark, from left to right and from right to left. Letters of inputs have
 * 16 pixels at least, because phones enlarge the page at smaller ones. Letters have no distances of their own, which would tear
 * those of Arabic apart.
 */
export const PAGE_STYLE = `:root{color-scheme:light dark;--ground:#f3f5f7;--paper:#fff;--ink:#1b2026;--soft:#56606b;--line:#828d99;
--rule:#dde2e7;--accent:#1d5bb5;--pressed:#164892;--on-accent:#fff;--bad:#a4161a;--bad-paper:#fdefef;--good:#17632a;--good-paper:#ebf6ee}
@media (prefers-color-scheme:dark){:root{--ground:#101316;--paper:#181c20;--ink:#e7eaed;--soft:#a8b2bc;--line:#75808b;
--rule:#31383f;--accent:#8ab4f8;--pressed:#aecbfa;--on-accent:#10151d;--bad:#ffa3a3;--bad-paper:#3a1f21;--good:#93dba6;--good-paper:#18301f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;
overflow-wrap:anywhere}
header,main{max-width:29rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;align-items:center;gap:.75rem;padding-top:1.5rem;color:var(--soft);font-weight:600}
.mark{flex:none;width:2.25rem;height:2.25rem;border-radius:.6rem;background:var(--accent);color:var(--on-accent);display:grid;
place-items:center;font-size:1.1rem;line-height:1}
main{padding-bottom:3rem}
h1{font-size:1.6rem;line-height:1.25;font-weight:700;margin:1.5rem 0 1.25rem;text-wrap:balance}
h2{font-size:1.15rem;line-height:1.35;margin:2.25rem 0 .75rem;padding-top:1.5rem;border-top:1px solid var(--rule)}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
label{display:block;font-weight:600;margin:1.1rem 0 .35rem}
.check{font-weight:400;display:flex;gap:.6rem;align-items:start}
.check input{width:1.25rem;height:1.25rem;min-height:0;margin:.15rem 0 0;flex:none;accent-color:var(--accent)}
.check .hint{display:block}
fieldset{border:0;margin:1.4rem 0 0;padding:0;min-width:0}
legend{font-weight:600;padding:0;margin:0 0 .35rem}
.hint,dl{color:var(--soft);font-size:.925rem}
input+.hint,.problem+.hint{margin:.4rem 0 0}
.problem{color:var(--bad);font-size:.925rem;font-weight:600;margin:.4rem 0 0}
input,select,textarea{font:inherit;font-size:max(1rem,16px);color:inherit;background:var(--paper);width:100%;min-height:2.9rem;
padding:.55rem .8rem;border:1px solid var(--line);border-radius:.5rem}
input[aria-invalid=true]{border:2px solid var(--bad)}
[dir=rtl] input[dir=ltr]{text-align:right}
button,.button{font:inherit;font-weight:600;display:block;width:100%;min-height:2.9rem;margin:1.5rem 0 0;padding:.6rem 1rem;
border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);text-align:center;
text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--pressed);border-color:var(--pressed)}
.quiet{background:none;border-color:var(--line);color:var(--accent)}
.quiet:hover{background:var(--ground);border-color:var(--accent)}
.small{display:inline-block;width:auto;min-height:2.5rem;margin:0;padding:.35rem .9rem;font-size:.925rem;
white-space:nowrap}
form+p,.button+p,.qr+p{margin-top:1.25rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.notice{padding:.8rem 1rem;border-radius:.5rem;border-inline-start:4px solid;margin:0 0 1.25rem}
.notice.bad{color:var(--bad);background:var(--bad-paper)}
.notice.good{color:var(--good);background:var(--good-paper)}
.or{display:flex;align-items:center;gap:.75rem;color:var(--soft);margin:1.5rem 0 0}
.or::before,.or::after{content:'';flex:1;border-top:1px solid var(--rule)}
.entries{list-style:none;margin:0;padding:0}
.entries li{display:flex;align-items:start;justify-content:space-between;gap:1rem;padding:.9rem 0;border-top:1px solid var(--rule)}
.entries form{flex:none}
.entries li:first-child{border-top:0;padding-top:0}
dl{margin:.2rem 0 0}
dt,dd{display:inline;margin:0}
dt::after{content:': '}
code{font:.95rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.copy{display:block;background:var(--ground);border:1px solid var(--rule);border-radius:.5rem;padding:.7rem .9rem;user-select:all}
.codes{list-style:none;columns:2;margin:0 0 1.25rem;padding:1rem;background:var(--ground);border:1px solid var(--rule);border-radius:.5rem}
.codes li{padding:.2rem 0}
.qr{max-width:13rem;margin:0 auto 1rem}
.qr svg{width:100%;height:auto;display:block;background:#fff;border-radius:.5rem}
@media (min-width:34rem){body{background:var(--ground);padding:1.5rem 1rem 3rem}header{padding:1.5rem 0}
main{background:var(--paper);border:1px solid var(--rule);border-radius:.9rem;padding:.5rem 2rem 2rem}}
@media (forced-colors:active){.mark{border:1px solid}}`;
