import { Notices } from '@annals/messages';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { read } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import { inMinutes, remindersOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: number;
let name: string;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  ({ id: channel, name } = await server.namedChannel(owner, { subscribers: [owner, member, other] }));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => server.close());

const remind = async (by: Person, params: object) =>
  granted(
    await by.post<{ reminder_id: number }>('/reminders', {
      scheduled_delivery_timestamp: inMinutes(server, 5),
      ...params,
    }),
  ).reminder_id;
async function pass(minutes = 5): Promise<void> {
  server.clock.advance(minutes * 60_000);
  await server.deliverDue();
}
/** The newest direct message of a user. */
const lastNoticeTo = async (by: Person) => (await read(by, [{ operator: 'is', operand: 'dm' }])).at(-1);
const textFor = async (by: Person) => (await lastNoticeTo(by))?.content ?? '';

describe('a reminder at its time', () => {
  it('is an unread direct message of the notification bot, and is removed from the list', async () => {
    const message_id = await idOf(send(other, { to: channel, content: 'hello **you**' }));
    const id = await remind(member, { message_id });
    const received = await member.receive(() => pass(), { event_types: ['message', 'reminders'] });
    const [stored] = await remindersOf(member);
    expect(stored).toBeUndefined();
    expect(received).toMatchObject([
      { type: 'message', flags: [], message: { type: 'private', sender_full_name: 'Notification Bot' } },
      { type: 'reminders', op: 'remove', reminder_id: id },
    ]);
    expect((await lastNoticeTo(member))?.display_recipient).toHaveLength(2);
    expect(await other.receive(() => pass())).toEqual([]);
  });

  it('is never too late', async () => {
    await remind(member, { note: 'long ago' });
    await pass(7 * 24 * 60);
    expect(await textFor(member)).toContain('long ago');
  });

  it('names the direct message', async () => {
    const message_id = await idOf(sendDirect(other, [member.id], { content: 'between us' }));
    await remind(member, { message_id, note: 'answer' });
    await pass();
    const text = await textFor(member);
    expect(text).toMatch(
      /^You asked to be reminded of the following direct message\.\n\nYour note:\n\n```quote\nanswer\n```\n\n@_\*\*Otto\|/,
    );
    expect(text).toContain('between us');
    expect(text).toContain(`/near/${message_id}`);
  });

  it.each([
    ['/poll Lunch?\nyes\nno', 'sent a poll'],
    ['/todo Today\neat', 'sent a to-do list'],
  ])('names the kind of the message: %j', async (content, kind) => {
    const message_id = await idOf(send(other, { to: channel, content }));
    await remind(member, { message_id });
    await pass();
    expect(await textFor(member)).toContain(`[${kind}]`);
    expect(await textFor(member)).not.toContain('quote');
  });

  it('links to a message without a topic', async () => {
    const message_id = await idOf(send(other, { to: channel, topic: '' }));
    await remind(member, { message_id });
    await pass();
    expect(await textFor(member)).toContain(`#**${name}>@${message_id}**`);
    const [shown] = (await read(member, [{ operator: 'is', operand: 'dm' }], true)).slice(-1);
    expect(shown?.content).toContain(`/near/${message_id}`);
  });

  it('mentions nobody, whatever it quotes', async () => {
    const content = 'ask @**Mia** and @*Team*\n```\ncode\n````quote\n@**all**\n````';
    const message_id = await idOf(send(other, { to: channel, content }));
    await remind(member, { message_id, note: 'and @**Mia**, @**all**\n```\nno end' });
    const [event] = await member.receive(() => pass(), 'message');
    expect(event).toMatchObject({ flags: [] });
    const [shown] = (await read(member, [{ operator: 'is', operand: 'dm' }], true)).slice(-1);
    expect(shown?.content).toContain('class="user-mention silent"');
    expect(shown?.content).not.toContain('class="user-mention"');
  });

  it('quotes the message with its text and place at that time', async () => {
    const message_id = await idOf(send(other, { to: channel, topic: 'before', content: 'first version' }));
    await remind(member, { message_id, note: 'mind' });
    expect((await remindersOf(member)).at(-1)?.['content']).toContain('first version');
    granted(await other.patch(`/messages/${message_id}`, { content: 'second version', topic: 'after' }));
    granted(await owner.patch(`/users/${other.id}`, { full_name: 'Ottilie' }));
    await pass();
    const text = await textFor(member);
    expect(text).toContain(`#**${name}>after@${message_id}**`);
    expect(text).toContain('@_**Ottilie|');
    expect(text).toContain('second version');
    expect(text).not.toContain('first version');
    granted(await owner.patch(`/users/${other.id}`, { full_name: 'Otto' }));
  });

  it('has the text of when it was set if the message is deleted', async () => {
    const message_id = await idOf(send(other, { to: channel, content: 'gone soon, @**Mia**' }));
    await remind(member, { message_id, note: 'mind' });
    const [stored] = (await remindersOf(member)).slice(-1);
    granted(await owner.delete(`/messages/${message_id}`));
    await pass();
    expect(await textFor(member)).toBe(stored?.['content']);
    expect(await textFor(member)).toContain('gone soon');
  });

  it('has the text of when it was set if its owner may no longer see the message', async () => {
    const secret = await server.namedChannel(owner, { invite_only: true, subscribers: [owner, member] });
    const message_id = await idOf(send(owner, { to: secret.id, content: 'as it was' }));
    await remind(member, { message_id, note: 'mind' });
    const subscriptions = [secret.name];
    granted(await owner.delete('/users/me/subscriptions', { subscriptions, principals: [member.id] }));
    granted(await owner.patch(`/messages/${message_id}`, { content: 'not for Mia' }));
    await pass();
    expect(await textFor(member)).toContain('as it was');
    expect(await textFor(member)).not.toContain('not for Mia');
  });

  it('has the text of when it was set if the message was moved to where its owner cannot see it', async () => {
    const hidden = await server.channel(owner, { invite_only: true });
    const message_id = await idOf(send(other, { to: channel, content: 'soon elsewhere' }));
    const id = await remind(member, { message_id });
    const stored = (await remindersOf(member)).find(({ reminder_id }) => reminder_id === id);
    granted(await owner.patch(`/messages/${message_id}`, { stream_id: hidden, topic: 'a secret' }));
    await pass();
    expect(await textFor(member)).toBe(stored?.['content']);
    expect(await textFor(member)).not.toContain('secret');
  });

  it('fails after ten attempts on a server error, without a notice, and delays nothing else', async () => {
    const notes = [await remind(member, { note: 'a mistake' }), await remind(other, { note: 'behind it' })];
    const notify = Object.getOwnPropertyDescriptor(Notices.prototype, 'notify')?.value as Notices['notify'];
    let tries = 0;
    const mistake = jest.spyOn(Notices.prototype, 'notify').mockImplementation(async function (this: Notices, ...args) {
      if (!args[1].includes(member.id)) return notify.apply(this, args);
      tries += 1;
      throw new TypeError('something is not a function');
    });
    const mine = async () => (await remindersOf(member)).find(({ reminder_id }) => reminder_id === notes[0]);
    const failing = async () => {
      await pass();
      expect(await remindersOf(other)).toEqual([]);
      while (!(await mine())?.['failed']) await server.deliverDue();
    };
    expect(await member.receive(failing, { event_types: ['message', 'reminders'] })).toEqual([]);
    mistake.mockRestore();
    expect(tries).toBe(10);
    expect(await textFor(other)).toContain('behind it');
    expect(await member.receive(() => pass())).toEqual([]);
    granted(await member.delete(`/reminders/${notes[0] ?? 0}`));
    expect(await remindersOf(member)).toEqual([]);
  });

  it('is truncated to the length of a message, with its note', async () => {
    const note = 'n'.repeat(1_000);
    const message_id = await idOf(send(other, { to: channel, content: '`'.repeat(20) + 'x'.repeat(9_980) }));
    const id = await remind(member, { message_id, note });
    const stored = (await remindersOf(member)).find(({ reminder_id }) => reminder_id === id);
    await pass();
    for (const text of [String(stored?.['content']), await textFor(member)]) {
      expect([...text]).toHaveLength(10_000);
      expect(text).toContain(note);
      expect(text).toMatch(/\[message truncated\]$/);
    }
  });

  it('fails without a notice when its owner is deactivated', async () => {
    const leaver = await server.person();
    const id = await remind(leaver, { note: 'for nobody' });
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await owner.receive(() => pass())).toEqual([]);
    granted(await owner.post(`/users/${leaver.id}/reactivate`));
    const login = { username: leaver.email, password: leaver.password };
    const { api_key: key } = granted(await server.anonymous.post<{ api_key: string }>('/fetch_api_key', login));
    const back = server.as({ email: leaver.email, key });
    const { reminders } = granted(await back.get<{ reminders: object[] }>('/reminders'));
    expect(reminders).toMatchObject([{ reminder_id: id, failed: true }]);
    granted(await back.delete(`/reminders/${id}`));
  });

  it('is delivered once, each of several in their order', async () => {
    const contents = [];
    for (let n = 0; n < 5; n++) {
      await remind(member, { note: `note ${n}` });
      contents.push(`note ${n}`);
    }
    const received = await member.receive(async () => {
      await pass();
      await pass();
    }, 'message');
    const kind = received.map(({ message }) => /note \d/.exec((message as { content: string }).content)?.[0]);
    expect(kind).toEqual(contents);
  });
});
