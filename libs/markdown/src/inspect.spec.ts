import { names } from './spec-support/examples';
import { inspect } from './inspect';
import type { ContentFacts } from './inspect';
import { references } from './references';
import type { References } from './names';

const NOBODY: ContentFacts['mentions'] = {
  userIds: [],
  silentUserIds: [],
  groupIds: [],
  channelWildcard: false,
  topicWildcard: false,
};
const NOTHING: Omit<ContentFacts, 'mentions'> = {
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  attachmentPaths: [],
  isMeMessage: false,
};

describe('the mentions of a text', () => {
  test.each<[content: string, mentioned: Partial<ContentFacts['mentions']>]>([
    ['Shall we meet after lunch?', {}],
    ['@**King Hamlet** @**Iago** @**Iago|12**', { userIds: [12, 13] }],
    ['@_**Iago** and @**King Hamlet**', { userIds: [13], silentUserIds: [12] }],
    ['@**Iago** @_**Iago**', { userIds: [12], silentUserIds: [12] }],
    ['@*support* @_*role:administrators*', { groupIds: [5] }],
    ['@**all**', { channelWildcard: true }],
    ['@**everyone**', { channelWildcard: true }],
    ['@**channel**', { channelWildcard: true }],
    ['@**stream**', { channelWildcard: true }],
    ['@**topic**', { topicWildcard: true }],
    ['@_**all** @_**topic**', {}],
    ['> @**Iago** @*support* @**all** @**topic**', { silentUserIds: [12] }],
    ['```quote\n@**Iago**\n```\n@**King Hamlet**', { userIds: [13], silentUserIds: [12] }],
    ['```spoiler @**Iago**\n@**King Hamlet**\n```', { userIds: [12, 13] }],
    ['`@**Iago**`\n\n```\n@**all**\n```\n\n    @**topic**', {}],
    ['@**Nobody** x@**Iago** @**Iago|13** @**iago', {}],
    ['![@**Iago**](/user_uploads/2/ab/r/a.png)', {}],
  ])('%j', (content, mentioned) => expect(inspect(content, names).mentions).toEqual({ ...NOBODY, ...mentioned }));
});

describe('the facts of a text', () => {
  const image = { hasImage: true, hasAttachment: true, attachmentPaths: ['2/ab/r/a.png'] };
  test.each<[content: string, carried: Partial<ContentFacts>]>([
    ['plain, 3 < 4 & so on', {}],
    ['see example.com', { hasLink: true }],
    ['[x](https://example.com/x.PNG?size=2#y)', { hasLink: true, hasImage: true }],
    ['README.md and `https://example.com`', {}],
    ['#**announce>updates**', { hasLink: true }],
    ['in #**announce**', { hasLink: true }],
    ['#**announce>updates@5**', { hasLink: true }],
    ['#**no such channel** `#**announce**`', {}],
    ['[a.png](/user_uploads/2/ab/r/a.png)', { hasLink: true, ...image }],
    ['![a.png](/user_uploads/2/ab/r/a.png)', image],
    ['> https://chat.example.com/user_uploads/2/ab/r/a.png', { hasLink: true, ...image }],
    ['https://elsewhere.example.com/user_uploads/2/ab/r/a.png', { hasLink: true, hasImage: true }],
    ['[ä](/user_uploads/2/ab/r/%C3%A4.txt)', { hasLink: true, hasAttachment: true, attachmentPaths: ['2/ab/r/ä.txt'] }],
    ['[x](/user_uploads/2/../../api) [y](/user_uploads/%2e%2e/api)', { hasLink: true }],
    ['/me waves', { isMeMessage: true }],
    ['/me **waves**\nat https://example.com', { isMeMessage: true, hasLink: true }],
    ['/me waves\n\ntwice', {}],
    ['/me waves\n* once', {}],
    ['/me [a.png](/user_uploads/2/ab/r/a.png)', { hasLink: true, ...image }],
    ['/meadow and /me ', {}],
  ])('%j', (content, carried) => {
    const { mentions, ...rest } = inspect(content, names, { realmUrl: 'https://chat.example.com' });
    expect(rest).toEqual({ ...NOTHING, ...carried });
    expect(mentions).toEqual(NOBODY);
  });
});

describe('the names in a text', () => {
  const none: References = { users: [], groups: [], channels: [], topics: [], emoji: [] };
  test.each<[content: string, named: Partial<References>]>([
    ['Shall we meet at 10:30 #soon?', {}],
    ['@**Iago** @_**Iago** @**Iago|12** @**|7**', { users: [{ name: 'Iago' }, { name: 'Iago', id: 12 }, { id: 7 }] }],
    ['@*support* @_*support* @_*other*', { groups: ['support', 'other'] }],
    [
      '#**a** #**a>b** #**a>** #**c>d@5**',
      {
        channels: ['a', 'c'],
        topics: [
          { channel: 'a', topic: 'b' },
          { channel: 'a', topic: '' },
        ],
      },
    ],
    ['1:tada:2:one:', { emoji: ['tada', '2', 'one'] }],
    ['`@**in code**`', { users: [{ name: 'in code' }] }],
    [
      '| @**a\\|1** |',
      {
        users: [
          { name: 'a\\', id: 1 },
          { name: 'a', id: 1 },
        ],
      },
    ],
  ])('%j', (content, named) => expect(references(content)).toEqual({ ...none, ...named }));
});
