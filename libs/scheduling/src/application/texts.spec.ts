import type { ChannelId, Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { failureText } from './failure-text';
import { Lateness } from './lateness';
import { aboutMessage } from './reminder-texts';

const SIX = Date.UTC(2026, 0, 1, 6) as Instant;

describe('the notice of a message that was not sent', () => {
  it('has time, reason and advice, and mentions nobody', () => {
    const { content, names } = failureText(SIX, 'Not here.');
    expect(content).toBe(
      [
        'The message that you scheduled for <time:2026-01-01T06:00:00.000Z> was not sent:',
        '```quote\nNot here.\n```',
        'It is kept among your [scheduled messages](#scheduled): give it another time, or delete it.',
      ].join('\n\n'),
    );
    expect(names).toEqual({ users: [], groups: [], channels: [] });
  });

  it.each([
    ['a fence', 'a ``` b', '````quote\na ``` b\n````'],
    ['a mention', '@**all** may not', '```quote\n@**all** may not\n```'],
    ['lines', 'one\ntwo', '```quote\none\ntwo\n```'],
  ])('keeps a reason with %s in its block', (_, reason, block) => {
    expect(failureText(SIX, reason).content).toContain(`\n\n${block}\n\n`);
  });
});

describe('the maximum lateness', () => {
  const after = (minutes: number, more: number) => (SIX + minutes * 60_000 + more) as Instant;

  it.each([1, 10, 1_440])('of %i minutes ends with the last millisecond of them', (minutes) => {
    const lateness = new Lateness(minutes);
    for (const now of [after(0, -5_000), SIX, after(minutes, -1), after(minutes, 0)])
      expect(() => lateness.ensure(SIX, now)).not.toThrow();
    for (const now of [after(minutes, 1), after(1_000_000, 0)])
      expect(() => lateness.ensure(SIX, now)).toThrow(
        expect.objectContaining({
          code: Lateness.CODE,
          message: `The server could not send it at its time, nor within ${minutes} minutes after it.`,
        }) as Error,
      );
  });
});

describe('the text of a reminder of a message', () => {
  const row = (params: Partial<MessageRow>, content: string | null = 'the plan', names: object | null = null) =>
    ({
      id: 42 as MessageId,
      channelId: 7 as ChannelId,
      channelName: 'lunch',
      topic: 'today',
      userIds: [],
      text: { position: 42 as Position, content, names: names && JSON.stringify(names) },
      ...params,
    }) as unknown as MessageRow;
  const otto = { userId: 5 as UserId, fullName: 'Otto' };
  const about = (message: MessageRow, note?: string, author = otto) =>
    aboutMessage({ message, author, url: 'https://here/near/42', note });
  const said = '@_**Otto|5** [said](https://here/near/42):\n```quote\nthe plan\n```';
  const origin = (link: string) => `You asked to be reminded of a message in ${link}.\n\n${said}`;
  const ofDirect = 'You asked to be reminded of the following direct message.';
  const direct = { channelId: null, channelName: null, topic: null, userIds: [1, 5] as UserId[] };

  it.each<[string, Partial<MessageRow>, string]>([
    ['of a channel and a topic', {}, origin('#**lunch>today@42**')],
    ['without a topic', { topic: '' }, origin('#**lunch>@42**')],
    ['in a topic that no link can hold', { topic: 'a*b' }, origin('#**lunch** > `a*b`')],
    ['in a topic that ends like a number of a message', { topic: 'x@1' }, origin('#**lunch** > `x@1`')],
    ['in a channel that no link can hold', { channelName: 'a>b' }, origin('`a>b` > `today`')],
    ['in such a channel, without a topic', { channelName: 'a>b', topic: '' }, origin('`a>b`')],
    ['that is a direct one', direct, `${ofDirect}\n\n${said}`],
  ])('%s', (_, place, text) => {
    expect(about(row(place)).content).toBe(text);
  });

  it.each([
    ['/poll Lunch?\nyes', 'a poll'],
    ['/poll', 'a poll'],
    ['/todo\neat', 'a to-do list'],
  ])('names only the kind of %j', (content, kind) => {
    expect(about(row(direct, content)).content).toBe(
      `${ofDirect}\n\n@_**Otto|5** [sent ${kind}](https://here/near/42).`,
    );
  });

  it.each([['/polls are open'], [' /poll x'], ['/me eats']])('quotes %j like any text', (content) => {
    expect(about(row(direct, content)).content).toContain(`\`\`\`quote\n${content}\n\`\`\``);
  });

  it('marks an erased text', () => {
    expect(about(row(direct, null)).content).toContain('```quote\n(erased)\n```');
  });

  it('has the note before the message, each in a block that it cannot leave', () => {
    const { content } = about(row(direct, '```quote\nfenced\n```'), 'a ```` note');
    expect(content).toBe(
      `${ofDirect}\n\nYour note:\n\n\`\`\`\`\`quote\na \`\`\`\` note\n\`\`\`\`\`\n\n@_**Otto|5** ` +
        '[said](https://here/near/42):\n````quote\n```quote\nfenced\n```\n````',
    );
  });

  it('resolves the names in it', () => {
    const mia = { name: 'Mia', userId: 3, fullName: 'Mia' };
    const { names } = about(row({}, 'ask @**Mia**', { users: [mia], groups: [], channels: [] }));
    expect(names).toEqual({
      users: [{ name: 'Otto', id: 5, userId: 5, fullName: 'Otto' }, mia],
      groups: [],
      channels: [{ written: 'lunch', channelId: 7, name: 'lunch' }],
    });
  });

  it('mentions an author by id if the name is not possible in a mention', () => {
    expect(about(row(direct), undefined, { ...otto, fullName: 'O*o' }).content).toContain('@_**|5** [said]');
  });

  it('truncates a long message, in code points', () => {
    const { content } = about(row(direct, '😀'.repeat(10_000)), 'n'.repeat(1_000));
    expect([...content]).toHaveLength(10_000);
    expect(content).toMatch(/\n\[message truncated\]$/);
    expect(content).toContain(`quote\n${'n'.repeat(1_000)}\n`);
  });
});
