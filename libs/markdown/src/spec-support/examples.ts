import type { EmojiDisplay, NameLookup, UserReference } from '../names';

const USERS = [
  { id: 12, fullName: 'Iago' },
  { id: 13, fullName: 'King Hamlet' },
  { id: 14, fullName: 'Othello, the <b>Moor</b>' },
];
const GROUPS = new Map([
  ['support', { id: 5, name: 'support' }],
  ['role:administrators', { id: 2, name: 'Administrators' }],
]);
const CHANNELS = new Map([
  ['announce', { id: 9, name: 'announce' }],
  ['big talk (v1.2)', { id: 10, name: 'big talk (v1.2)' }],
]);
const EMOJI = new Map<string, EmojiDisplay>([
  ['smiling_face', { code: '263a' }],
  ['one', { code: '0031-20e3' }],
  ['mascot', { src: '/user_avatars/2/emoji/images/m4sc0t.png' }],
]);

function findUser({ name, id }: UserReference): (typeof USERS)[number] | undefined {
  return USERS.find((user) => (name === undefined || user.fullName === name) && (id === undefined || user.id === id));
}

/** The users and places in the specs of this library. */
export const names: NameLookup = {
  user: findUser,
  group: (name) => GROUPS.get(name),
  channel: (name) => CHANNELS.get(name),
  topicMessageId: (channelId, topic) => (channelId === 9 && ['', 'updates'].includes(topic) ? 214 : undefined),
  emoji: (name) => EMOJI.get(name),
};

/** Pieces with a meaning for the parser, for random texts. */
export const PIECES = [
  ...[
    '> ',
    '>',
    '\n',
    '\n\n',
    '    ',
    '\t',
    '- ',
    '1. ',
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
    '\\',
    '\\|',
    '|',
    '|-|',
    '|a|b|\n|-|-|\n',
  ],
  ...['```\n', '```js\n', '```quote\n', '~~~quote\n', '~~~\n', '```spoiler ', '```math\n', '# ', '---', '='],
  ...['@**Iago**', '@_**Iago**', '@**Iago|12**', '@**|13**', '@**Iago|13**', '@**King Hamlet**', '@**Nobody**', '@**'],
  ...[
    '@**Iago\\|12**',
    '@*support*',
    '@_*support*',
    '@*nobody*',
    '@**all**',
    '@_**all**',
    '@**topic**',
    '@_**topic**',
    '@',
  ],
  ...[
    '#**announce**',
    '#**announce>updates**',
    '#**announce>a b@7**',
    '#**',
    '#',
    ':smiling_face:',
    ':mascot:',
    ':zulip:',
    ':',
  ],
  ...[
    'https://example.com/a?b=c&d="',
    'example.com',
    'README.md',
    'a@example.com',
    'javascript:',
    'data:text/html,',
    '//',
  ],
  ...[
    '[',
    ']',
    '](',
    '](/user_uploads/2/ab/r/a.png)',
    '](/user_uploads/2/ab/r/a.mp3)',
    '](/user_uploads/2/ab/r/a.mp4)',
    '](javascript:alert(1))',
    '![',
    ')',
    '(',
    '<',
    '>',
    '<script>',
    '</p>',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '" onclick="alert(1)',
    "'",
    '"',
    '&',
    '&lt;',
    '&#106;',
    '$$',
    '$$x$$',
    '<time:2026-11-20>',
  ],
  ...['/me ', ' ', ' ', 'a', 'word', 'é', '😀'],
];
