import fc from 'fast-check';
import { PIECES } from './examples';

/** For the specifications: URLs that must not become links. */
export const ADVERSARIAL_URLS = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', '\u0001javascript:alert(1)'],
  ...['java\tscript:alert(1)', 'java\nscript:alert(1)', 'java\rscript:alert(1)', 'java\0script:alert(1)'],
  ...[
    'javascript\u200b:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6a;avascript&colon;alert(1)',
    'javascript&#58;alert(1)',
  ],
  ...['&#0000106avascript:alert(1)', 'javascript&Tab;:alert(1)', '%6aavascript:alert(1)', 'javascript%3aalert(1)'],
  ...['javascript://example.com/%0aalert(1)', 'javascript:alert(1)//http://example.com', 'javascript:/*-->*/alert(1)'],
  ...[
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg/onload=alert(1)>',
    'DATA:text/html;base64,eA==',
  ],
  ...['vbscript:msgbox(1)', 'file:///etc/passwd', 'blob:https://a/b', 'view-source:https://a', 'about:blank'],
  ...[
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/\t/evil.example.com',
    'http:javascript:alert(1)',
  ],
];

/** Every construct of the syntax that may contain a URL. */
export const URL_PLACES: ((url: string) => string)[] = [
  (url) => url,
  (url) => `[x](${url})`,
  (url) => `[x](<${url}>)`,
  (url) => `[x](${url} "title")`,
  (url) => `[${url}](${url})`,
  (url) => `[](${url})`,
  (url) => `![x](${url})`,
  (url) => `![x](<${url}>)`,
  (url) => `[![x](${url})](${url})`,
  (url) => `[![x](/user_uploads/2/ab/r/a.png)](${url})`,
  (url) => `<${url}>`,
  (url) => `[x]: ${url}\n\n[x] [x][] [y][x]`,
  (url) => `<a href="${url}">x</a>`,
  (url) => `<img src="${url}">`,
  (url) => `**[x](${url})** ~~${url}~~ *${url}*`,
  (url) => `> [x](${url})`,
  (url) => `* [x](${url})`,
  (url) => `# [x](${url})`,
  (url) => `|[x](${url})|\n|-|\n|[x](${url})|`,
  (url) => `\`\`\`spoiler [x](${url})\n[x](${url})\n\`\`\``,
  (url) => `\`\`\`quote\n[x](${url})\n\`\`\``,
  (url) => `\`\`\`${url}\nx\n\`\`\``,
  (url) => `#**${url}>${url}** @**${url}** <time:${url}> :${url}: $$${url}$$`,
];

const FRAGMENTS = [
  ...['<svg onload=alert(1)>', '<style>*{color:red}</style>', '<!--', '-->', '<![CDATA[', ']]>', '<?php', '</'],
  ...['<a href=', '<p style="position:fixed">', '<math><mtext>', '</annotation>', '</span></p></div>', '<template>'],
  ...[
    '" onmouseover="alert(1)',
    "' onclick='alert(1)",
    '&quot;',
    '&#0;',
    '&#x110000;',
    '&lt;script&gt;',
    '&NotAnEntity;',
  ],
  ...[
    '\0',
    '\u0001',
    '\u0008',
    '\u000b',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u202e',
  ],
  ...[
    '\u2028',
    '\ufeff',
    '\ufffe',
    '\ufffd',
    '\ud800',
    '\udc00',
    '\r',
    '\r\n',
    '\u0300',
    '😀',
    '👍🏽',
    '1️⃣',
    '🏴\u{e0067}',
  ],
  ...['~~a', '***', '*', '$$a', '```{.js', '~~~~', '```spoiler', '1. ', '2) ', '  - ', '      ', '>> ', '|-:|', '\\'],
  ...['class="user-mention" data-user-id="12"', '<span class="user-mention" data-user-id="12">', '<a href="/">', ']('],
  ...ADVERSARIAL_URLS,
];

const lines = (text: string, prefix: string): string => prefix + text.replaceAll('\n', `\n${prefix}`);

/** Constructs around a text, closed or not. */
const AROUND: ((inner: string) => string)[] = [
  (inner) => lines(inner, '> '),
  (inner) => `* ${inner.replaceAll('\n', '\n  ')}`,
  (inner) => `1. ${inner.replaceAll('\n', '\n  ')}`,
  (inner) => lines(inner, '    '),
  (inner) => `# ${inner}`,
  (inner) => `\`\`\`quote\n${inner}\n\`\`\``,
  (inner) => `~~~spoiler ${inner}\n${inner}\n~~~`,
  (inner) => `\`\`\`${inner}`,
  (inner) => `~~~math\n${inner}`,
  (inner) => `|${inner}|${inner}|\n|-|:-:|\n|${inner}|`,
  (inner) => `**${inner}**`,
  (inner) => `*${inner}*`,
  (inner) => `***${inner}`,
  (inner) => `~~${inner}~~`,
  (inner) => `\`${inner}\``,
  (inner) => `$$${inner}$$`,
  (inner) => `[${inner}](https://example.com/${inner})`,
  (inner) => `[${inner}](${inner} "${inner}")`,
  (inner) => `![${inner}](/user_uploads/${inner})`,
  (inner) => `@**${inner}** @_*${inner}* #**${inner}>${inner}@1**`,
  (inner) => `:${inner}: <time:${inner}> <${inner}>`,
  (inner) => `https://example.com/${inner}`,
  (inner) => `${inner}\n\n${inner}`,
];

const { text } = fc.letrec<{ text: string; joined: string; wrapped: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PIECES, ...FRAGMENTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  ),
  joined: fc.array(tie('text'), { minLength: 2, maxLength: 6 }).map((parts) => parts.join('')),
  wrapped: fc.tuple(fc.constantFrom(...AROUND), tie('text')).map(([around, inner]) => around(inner)),
  text: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('joined'), tie('wrapped')),
}));

/** Harmful texts: nested constructs, closed or not, with markup, entities, URLs and odd characters inside. */
export const adversarialText: fc.Arbitrary<string> = text.map((whole) => whole.slice(0, 10_000));
