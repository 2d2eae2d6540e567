import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import { plain } from './message/notice-text';
import type { Report } from './report';
import { ensureExplained, reportText, reportTopic } from './report';

const ann = { userId: 5 as UserId, fullName: 'Ann' };
const bea = { userId: 6 as UserId, fullName: 'Bea' };
const cem = { userId: 7 as UserId, fullName: 'Cem' };
const url = 'https://example.com/#narrow/dm/5,6/near/12';
const report: Report = {
  reporter: ann,
  author: bea,
  messageId: 12 as MessageId,
  sentAt: '1970-01-01T00:00:01.000Z',
  place: { channel: { id: 3 as ChannelId, name: 'plans' }, topic: 'lunch', url: 'https://example.com/' },
  text: plain('You fool'),
  reason: 'Harassment',
  description: 'Not *nice*',
};
const written = (change: Partial<Report>) => reportText({ ...report, ...change }).content;
const header = (change: Partial<Report>) => written(change).split('\n')[0];
const AT = 'at <time:1970-01-01T00:00:01.000Z>.';
const BY = '@_**Ann|5** reported a message sent by @_**Bea|6**';

describe('a report', () => {
  it('names reporter, author, reason and message', () => {
    expect(written({})).toBe(
      [
        `${BY} ${AT}`,
        '```quote\n**Harassment**. Not *nice*\n```',
        '',
        '```spoiler Original message at #**plans>lunch@12**\nYou fool\n```',
      ].join('\n'),
    );
    expect(reportText(report).names).toMatchObject({ channels: [{ channelId: 3 }], users: [{ id: 5 }, { id: 6 }] });
    expect(written({ description: '' })).toContain('```quote\n**Harassment**.\n```');
  });

  it.each<[string, Partial<Report>, string]>([
    ['one other person', { place: { people: [ann, bea], url } }, `${BY} ${AT}`],
    ['a group', { place: { people: [ann, bea, cem], url } }, `${BY} to @_**Ann|5** and @_**Cem|7** ${AT}`],
    [
      'the reporter’s own',
      { author: ann, place: { people: [ann, bea], url } },
      `@_**Ann|5** reported a message sent by @_**Ann|5** to @_**Bea|6** ${AT}`,
    ],
    [
      'a message to oneself',
      { author: ann, place: { people: [ann], url } },
      `@_**Ann|5** reported a message sent by @_**Ann|5** to @_**Ann|5** ${AT}`,
    ],
  ])('of a direct message says who received it: %s', (_, change, expected) => {
    expect(header(change)).toBe(expected);
    expect(written(change)).toContain(`spoiler [Original message](${url})`);
  });

  it('counts the recipients of a large group', () => {
    const people = Array.from({ length: 30 }, (_, n) => ({ userId: (n + 5) as UserId, fullName: `User ${n}` }));
    expect(header({ place: { people, url } })).toMatch(/\*\* and 20 others at /);
  });

  it('cannot be left by the texts in it', () => {
    const content = '```\n@**all**\n````';
    expect(written({ text: plain(content), description: '```\n# out' })).toMatch(
      /^````quote\n[^]*\n````\n\n`````spoiler .*\n[^]*\n`````$/m,
    );
  });

  it('truncates the reported text, and no explanation', () => {
    const text = plain('x'.repeat(10_000));
    const content = written({ text, description: 'y'.repeat(1_000) });
    expect(content).toHaveLength(10_000);
    expect(content).toContain('y'.repeat(1_000));
    expect(content).toContain('x\n[message truncated]\n```');
  });

  it('is in the topic of the author', () => {
    expect(reportTopic(bea)).toBe('Bea moderation');
    expect(reportTopic({ ...bea, fullName: 'x'.repeat(60) })).toBe(`${'x'.repeat(57)}...`);
  });

  it('needs an explanation for another reason', () => {
    expect(() => ensureExplained('other', '')).toThrow('An explanation is required.');
    ensureExplained('other', 'Look');
    ensureExplained('spam', '');
  });
});
