import type { ChannelId, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { messagePath, render } from '@annals/markdown';
import { plain } from '../../domain/message/notice-text';
import type { Report } from '../../domain/report';
import { MAX_DESCRIPTION, reportText } from '../../domain/report';
import { lookupOf } from '../../read/content/rendering';

const MESSAGE = 12 as MessageId;
const LONGEST = 10_000;

function reportIn(name: string, topic: string, change: Partial<Report> = {}): Report {
  const channel = { id: 3 as ChannelId, name };
  return {
    reporter: { userId: 5 as UserId, fullName: 'Ann' },
    author: { userId: 6 as UserId, fullName: 'Bea' },
    messageId: MESSAGE,
    sentAt: '1970-01-01T00:00:01.000Z',
    place: { channel, topic, url: `https://example.com${messagePath({ channel, topic }, MESSAGE)}` },
    text: plain('You fool'),
    reason: 'Spam',
    description: 'Look',
    ...change,
  };
}

function shown(report: Report): string {
  const { content, names } = reportText(report);
  expect([...content].length).toBeLessThanOrEqual(LONGEST);
  return render(content, lookupOf(names, 1 as RealmId));
}

const LINK = `/near/${MESSAGE}"`;
const HEADER_WITH_LINK = /<div class="spoiler-header">\n<p>[^\n]*\/near\/12"[^\n]*<\/p>\n<\/div>/;

describe('a report as moderators see it', () => {
  it.each([
    ['plans', 'lunch'],
    ['plans', ''],
    ['plans', '2*3'],
    ['plans', '**'],
    ['plans', '`code`'],
    ['plans', '```'],
    ['plans', '~~~ no'],
    ['plans', 'seats @12'],
    ['plans', 'a > b'],
    ['plans', '](x) [y'],
    ['plans', '$$x$$ }'],
    ['a*b', 'lunch'],
    ['a > b', 'lunch'],
    ['`a`', ''],
    ['~a~', '2*3'],
    ['[a](b)', '<b>'],
  ])('links to a message in #%s > %s', (name, topic) => {
    const html = shown(reportIn(name, topic));
    expect(html).toMatch(HEADER_WITH_LINK);
    expect(html).toContain('<p>You fool</p>\n</div></div>');
    expect(html).toContain('<blockquote>\n<p><strong>Spam</strong>. Look</p>\n</blockquote>');
  });

  it('names a place that is no link above', () => {
    const { content } = reportText(reportIn('plans', '2*3'));
    const link = '[Original message](https://example.com/#narrow/channel/3-plans/topic/2.2A3/near/12)';
    expect(content.split('\n').slice(1)).toEqual([
      '#**plans** > `2*3`',
      link,
      ...['', '```quote', '**Spam**. Look', '```', ''],
      ...[`\`\`\`spoiler ${link}`, 'You fool', '```'],
    ]);
  });

  it.each([
    ['a block that does not end', '```\nhidden', 'x'],
    ['another one', '~~~ quote\nhidden', 'x'],
    ['a long mark', '`'.repeat(MAX_DESCRIPTION), 'x'.repeat(LONGEST)],
    ['long marks in both', '`'.repeat(MAX_DESCRIPTION), '`'.repeat(LONGEST)],
    ['characters of two units', '😀'.repeat(MAX_DESCRIPTION), '😀'.repeat(LONGEST)],
  ])('links to the message before an explanation with %s', (_, description, content) => {
    for (const topic of ['lunch', '2*3']) {
      const html = shown(reportIn('plans', topic, { description, text: plain(content) }));
      expect(html).toContain(LINK);
      if (/[`~]/.test(description)) expect(html.indexOf(LINK)).toBeLessThan(html.indexOf('<blockquote>'));
    }
  });

  it('ends its blocks whatever the reported text is', () => {
    const { content } = reportText(reportIn('plans', 'lunch', { text: plain('`'.repeat(LONGEST)) }));
    const [fence] = /^`+(?=spoiler)/m.exec(content) ?? [''];
    expect(fence.length).toBeGreaterThan(3);
    expect(content.endsWith(`[message truncated]\n${fence}`)).toBe(true);
  });
});
