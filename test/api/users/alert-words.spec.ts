import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('alert words', () => {
  let users: ServerWithUsers;
  let owner: Person;
  let member: Person;
  let other: Person;
  beforeAll(async () => {
    users = await startWithUsers();
    ({ owner, member, other } = users);
    await users.server.channel(owner, { name: 'open', subscribers: [owner, member] });
  });
  afterAll(() => users.server.close());

  const list = async (by: Person) =>
    granted(await by.get<{ alert_words: string[] }>('/users/me/alert_words')).alert_words;
  const add = (by: Person, alert_words: unknown) =>
    by.post<{ alert_words: string[] }>('/users/me/alert_words', { alert_words });
  const remove = (by: Person, alert_words: unknown) =>
    by.delete<{ alert_words: string[] }>('/users/me/alert_words', { alert_words });
  const post = async (content: string, to = 'open') =>
    granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic: 't', content })).id;
  const flagsOf = async (by: Person, id: number) => {
    const found = await by.get<{ messages: { flags: string[] }[] }>('/messages', { message_ids: [id] });
    return granted(found).messages[0]?.flags;
  };
  const alerted = async (by: Person) => {
    const narrow = [{ operator: 'is', operand: 'alerted' }];
    const found = await by.get<{ messages: { id: number }[] }>('/messages', {
      anchor: 'newest',
      num_before: 50,
      narrow,
    });
    return granted(found).messages.map(({ id }) => id);
  };

  it('are listed, in the initial state and in events, as they were added', async () => {
    const bot = await users.server.bot(owner);
    const queue = await bot.register({ event_types: ['alert_words'] });
    expect(queue['alert_words']).toEqual([]);
    expect(granted(await add(bot, [' Deploy ', 'on call', 'DEPLOY', ''])).alert_words).toEqual(['Deploy', 'on call']);
    expect((await bot.events(queue)).map(({ id: _, ...event }) => event)).toEqual([
      { type: 'alert_words', alert_words: ['Deploy', 'on call'] },
    ]);
    expect(granted(await add(bot, ['deploy'])).alert_words).toEqual(['Deploy', 'on call']);
    expect(granted(await remove(bot, ['deploy', 'never'])).alert_words).toEqual(['on call']);
    expect(await list(bot)).toEqual(['on call']);
    expect((await bot.register({ fetch_event_types: ['alert_words'] }))['alert_words']).toEqual(['on call']);
    expect(await list(owner)).toEqual([]);
  });

  it('give a flag to messages for the users who received them', async () => {
    granted(await add(member, ['release']));
    granted(await add(other, ['release']));
    const queue = await member.register({ event_types: ['message'] });
    const id = await post('the Release, today');
    expect((await member.events(queue)).map(({ flags }) => flags)).toEqual([['has_alert_word']]);
    expect(await flagsOf(member, id)).toEqual(['has_alert_word']);
    expect(await flagsOf(other, id)).not.toContain('has_alert_word');
    expect(await flagsOf(owner, id)).not.toContain('has_alert_word');
    expect(await flagsOf(member, await post('released'))).toEqual([]);
    expect([await alerted(member), await alerted(other), await alerted(owner)]).toEqual([[id], [], []]);
  });

  it('do not count in fenced code, but in code between backticks and in quotes', async () => {
    granted(await add(member, ['fenced']));
    const flagged = async (content: string) => flagsOf(member, await post(content));
    expect(await flagged('```\nfenced\n```')).toEqual([]);
    expect(await flagged('~~~ python\nfenced\n~~~\nand so on')).toEqual([]);
    expect(await flagged('a `fenced` word')).toEqual(['has_alert_word']);
    expect(await flagged('```quote\nfenced\n```')).toEqual(['has_alert_word']);
    granted(await remove(member, ['fenced']));
  });

  it('count as they were when a text was written, and an edit looks again', async () => {
    granted(await add(member, ['beta']));
    const [before, later] = [await post('the beta'), await post('nothing')];
    granted(await remove(member, ['beta']));
    granted(await add(member, ['gamma']));
    expect(await flagsOf(member, before)).toEqual(['has_alert_word']);
    const queue = await member.register({ event_types: ['update_message'] });
    granted(await owner.patch(`/messages/${before}`, { content: 'the beta is over' }));
    granted(await owner.patch(`/messages/${later}`, { content: 'a gamma' }));
    expect((await member.events(queue)).map(({ flags }) => flags)).toEqual([[], ['has_alert_word']]);
    expect([await flagsOf(member, before), await flagsOf(member, later)]).toEqual([[], ['has_alert_word']]);
  });

  it.each([
    ['words that are too long', ['x'.repeat(101)]],
    ['too many words', Array.from({ length: 501 }, (_, n) => `w${n}`)],
    ['anything but a list of texts', [1]],
    ['a text', 'word'],
  ])('are not %s', async (_, words) => {
    expect((await add(owner, words)).status).toBe(400);
    expect(await list(owner)).toEqual([]);
  });

  it('are limited for an account', async () => {
    granted(
      await add(
        owner,
        Array.from({ length: 500 }, (_, n) => `w${n}`),
      ),
    );
    expect(await add(owner, ['one more'])).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    granted(
      await remove(
        owner,
        Array.from({ length: 500 }, (_, n) => `W${n}`),
      ),
    );
    expect(await list(owner)).toEqual([]);
  });

  it('need a login', async () => {
    const stranger = users.server.as({ email: 'x', key: 'y' });
    expect((await stranger.get('/users/me/alert_words')).status).toBe(401);
  });
});
