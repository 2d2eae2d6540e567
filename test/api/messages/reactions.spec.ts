import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
});
afterAll(() => server.close());

const success = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string, msg?: string) => ({ status: 400, body: { result: 'error', code, ...(msg && { msg }) } });
const post = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'so', ...params }),
  ).id;
const add = (by: Person, id: number, params: Params) => by.post(`/messages/${id}/reactions`, params);
const remove = (by: Person, id: number, params: Params) => by.delete(`/messages/${id}/reactions`, params);
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const reaction = (by: Person, emoji_name: string, emoji_code: string, reaction_type = 'unicode_emoji') => ({
  emoji_name,
  emoji_code,
  reaction_type,
  user_id: by.id,
});
const shown = async (by: Person, id: number) =>
  granted(await by.get<{ message: { reactions: object[]; flags: string[] } }>(`/messages/${id}`)).message;

describe('POST /messages/{message_id}/reactions', () => {
  it('adds an emoji to a message, in the order of addition', async () => {
    const id = await post(mia);
    expect(plain(await add(otto, id, { emoji_name: 'tada' }))).toEqual(success);
    expect(plain(await add(mia, id, { emoji_name: '+1' }))).toEqual(success);
    granted(await add(owner, id, { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }));
    granted(await add(otto, id, { emoji_name: 'zulip' }));
    const reactions = [
      reaction(otto, 'tada', '1f389'),
      reaction(mia, '+1', '1f44d'),
      reaction(owner, 'tada', '1f389'),
      reaction(otto, 'zulip', 'zulip', 'zulip_extra_emoji'),
    ];
    expect((await shown(mia, id)).reactions).toEqual(reactions);
    const asked = { narrow: [['channel', open]], anchor: id };
    const { messages } = granted(await otto.get<{ messages: { reactions: object[] }[] }>('/messages', asked));
    expect(messages.map((message) => message.reactions)).toEqual([reactions]);
  });

  it.each([
    ['thumbs_up', '1f44d'],
    ['one', '0031-20e3'],
    ['octopus', '1f419'],
    ['heart', '2764'],
  ])('knows %s', async (emoji_name, code) => {
    const id = await post(mia);
    granted(await add(mia, id, { emoji_name }));
    expect((await shown(mia, id)).reactions).toEqual([reaction(mia, emoji_name, code)]);
  });

  it('accepts the first names of clients with their codes', async () => {
    const id = await post(mia);
    const offered = {
      '+1': '1f44d',
      tada: '1f389',
      smile: '1f642',
      heart: '2764',
      working_on_it: '1f6e0',
      octopus: '1f419',
    };
    const entries = Object.entries(offered);
    for (const [emoji_name, emoji_code] of entries) {
      granted(await add(mia, id, { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }));
    }
    expect((await shown(mia, id)).reactions).toEqual(entries.map(([name, code]) => reaction(mia, name, code)));
  });

  it.each([
    ['heart', '1f49b'],
    ['smile', '1f600'],
    ['hand', '1f44d'],
    ['happy', '1f600'],
    ['flag', '1f1e9-1f1ea'],
    ['red heart', '2764'],
  ])('refuses %s for %s, which has another name for clients', async (emoji_name, emoji_code) => {
    const id = await post(mia);
    for (const reaction_type of ['unicode_emoji', undefined]) {
      const params = { emoji_name, emoji_code, ...(reaction_type && { reaction_type }) };
      expect(await add(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await shown(mia, id)).reactions).toEqual([]);
  });

  it('refuses a duplicate under any name', async () => {
    const id = await post(mia);
    granted(await add(mia, id, { emoji_name: '+1' }));
    for (const emoji_name of ['+1', 'thumbs_up']) {
      expect(await add(mia, id, { emoji_name })).toMatchObject(refused('REACTION_ALREADY_EXISTS'));
    }
    granted(await add(otto, id, { emoji_name: 'thumbs_up' }));
    const whole = { emoji_name: 'no such name', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    granted(await add(owner, id, whole));
    expect((await shown(mia, id)).reactions).toEqual([mia, otto, owner].map((one) => reaction(one, '+1', '1f44d')));
  });

  it('has one name for concurrent reactions with several names', async () => {
    const id = await post(mia);
    const people: Person[] = [];
    for (let n = 0; n < 30; n++) people.push(await server.person());
    const names = ['+1', 'thumbs_up'];
    const heard = await mia.receive(
      () => Promise.all(people.map(async (one, n) => granted(await add(one, id, { emoji_name: names[n % 2] })))),
      'reaction',
    );
    const { reactions } = await shown(mia, id);
    expect([reactions.length, heard.length]).toEqual([30, 30]);
    const told = [...reactions, ...heard] as readonly { emoji_name: string }[];
    expect(new Set(told.map(({ emoji_name }) => emoji_name)).size).toBe(1);
  });

  it('takes another name when all reactions with the first name are removed', async () => {
    const id = await post(mia);
    granted(await add(mia, id, { emoji_name: '+1' }));
    granted(await remove(mia, id, { emoji_name: '+1' }));
    granted(await add(otto, id, { emoji_name: 'thumbs_up' }));
    granted(await add(mia, id, { emoji_name: '+1' }));
    expect((await shown(mia, id)).reactions).toEqual([otto, mia].map((one) => reaction(one, 'thumbs_up', '1f44d')));
  });

  it.each<[Params]>([
    [{}],
    [{ emoji_code: '1f44d' }],
    [{ emoji_name: '' }],
    [{ emoji_name: 'no such name' }],
    [{ emoji_name: 'x'.repeat(5000) }],
    [{ emoji_name: 'tada\0' }],
    [{ emoji_name: 'tada', emoji_code: '1f44d' }],
    [{ emoji_name: 'tada', emoji_code: '1F389' }],
    [{ emoji_name: 'tada', emoji_code: 'malformed' }],
    [{ emoji_name: 'tada', emoji_code: '' }],
    [{ emoji_name: 'tada', reaction_type: 'realm_emoji' }],
    [{ emoji_name: 'tada', emoji_code: '7', reaction_type: 'realm_emoji' }],
    [{ emoji_name: 'tada', emoji_code: 'tada', reaction_type: 'zulip_extra_emoji' }],
    [{ emoji_name: 'tada', reaction_type: 'emoji' }],
  ])('refuses %j and changes nothing', async (params) => {
    const id = await post(mia);
    expect(await add(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    expect((await shown(mia, id)).reactions).toEqual([]);
  });

  it('reports invalid parameters', async () => {
    const { body } = await add(mia, await post(mia), { emoji_name: 'tada', size: 3 });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['size'] });
  });

  it('keeps the flags read and historical of a message that was not received', async () => {
    const id = await post(mia);
    granted(await add(otto, id, { emoji_name: 'tada' }));
    expect((await shown(otto, id)).flags).toEqual(['read', 'historical']);
  });

  it('is allowed to bots and guests with access', async () => {
    const guest = await server.person({ role: 'guest' });
    const bot = await server.bot(mia);
    const id = await post(mia);
    granted(await add(bot, id, { emoji_name: 'tada' }));
    expect(await add(guest, id, { emoji_name: 'tada' })).toMatchObject(refused('BAD_REQUEST'));
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [guest.id] }));
    granted(await add(guest, id, { emoji_name: 'tada' }));
  });
});

describe('DELETE /messages/{message_id}/reactions', () => {
  it('removes the own reaction, by name or by code', async () => {
    const id = await post(mia);
    for (const one of [mia, otto]) granted(await add(one, id, { emoji_name: 'tada' }));
    expect(plain(await remove(mia, id, { emoji_name: 'party_popper' }))).toEqual(success);
    expect((await shown(mia, id)).reactions).toEqual([reaction(otto, 'tada', '1f389')]);
    expect(plain(await remove(otto, id, { emoji_code: '1f389' }))).toEqual(success);
    expect((await shown(mia, id)).reactions).toEqual([]);
    granted(await add(mia, id, { emoji_name: 'zulip' }));
    expect(await remove(mia, id, { emoji_name: 'zulip' })).toMatchObject(refused('REACTION_DOES_NOT_EXIST'));
    granted(await remove(mia, id, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' }));
    granted(await add(mia, id, { emoji_name: 'tada' }));
    expect((await shown(mia, id)).reactions).toEqual([reaction(mia, 'tada', '1f389')]);
  });

  it('refuses missing reactions, and a request without a name', async () => {
    const id = await post(mia);
    granted(await add(otto, id, { emoji_name: 'tada' }));
    for (const params of [{ emoji_name: 'tada' }, { emoji_code: '1f389' }, { emoji_code: 'malformed' }]) {
      expect(await remove(mia, id, params)).toMatchObject(refused('REACTION_DOES_NOT_EXIST'));
    }
    for (const params of [{}, { emoji_name: 'no such name' }, { emoji_code: '1f389', reaction_type: 'emoji' }]) {
      expect(await remove(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await shown(mia, id)).reactions).toHaveLength(1);
  });
});

describe('an inaccessible message', () => {
  it('gets the answer of an unknown one', async () => {
    const id = await post(mia, { type: 'direct', to: [owner.id] });
    const secret = await server.channel(owner, { invite_only: true, subscribers: [owner, mia] });
    const hidden = await post(mia, { to: secret });
    for (const act of [add, remove]) {
      const missing = plain(await act(otto, 999_999, { emoji_name: 'tada' }));
      expect(missing).toMatchObject(refused('BAD_REQUEST'));
      for (const one of [id, hidden, 0, 2 ** 52]) {
        expect(plain(await act(otto, one, { emoji_name: 'tada' }))).toEqual(missing);
      }
    }
  });

  it('includes messages before the subscription where history is protected', async () => {
    const name = 'protected';
    const wish = { name, invite_only: true, history_public_to_subscribers: false, subscribers: [owner, mia] };
    const channel = await server.channel(owner, wish);
    const before = await post(mia, { to: channel });
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [otto.id] }));
    expect(await add(otto, before, { emoji_name: 'tada' })).toMatchObject(refused('BAD_REQUEST'));
    granted(await add(otto, await post(mia, { to: channel }), { emoji_name: 'tada' }));
  });

  it('includes messages of an archived channel, for reactions', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, mia] });
    const id = await post(mia, { to: channel });
    granted(await add(mia, id, { emoji_name: 'tada' }));
    granted(await owner.delete(`/streams/${channel}`));
    const missing = plain(await add(mia, 999_999, { emoji_name: '+1' }));
    for (const act of [add, remove]) {
      for (const emoji_name of ['tada', '+1']) expect(plain(await act(mia, id, { emoji_name }))).toEqual(missing);
    }
    expect((await shown(mia, id)).reactions).toEqual([reaction(mia, 'tada', '1f389')]);
  });
});

describe('the narrow has:reaction', () => {
  it('finds messages with reactions', async () => {
    const channel = await server.channel(owner, { subscribers: [owner] });
    const [bare, loved, forgotten] = [
      await post(owner, { to: channel }),
      await post(owner, { to: channel }),
      await post(owner, { to: channel, content: 'https://example.com' }),
    ];
    for (const id of [loved, forgotten]) granted(await add(owner, id, { emoji_name: 'heart' }));
    granted(await remove(owner, forgotten, { emoji_name: 'heart' }));
    const found = async (...terms: object[]) => {
      const asked = { narrow: [['channel', channel], ...terms], anchor: 'newest', num_before: 10 };
      const { messages } = granted(await owner.get<{ messages: { id: number }[] }>('/messages', asked));
      return messages.map(({ id }) => id);
    };
    expect(await found({ operator: 'has', operand: 'reaction' })).toEqual([loved]);
    expect(await found({ operator: 'has', operand: 'reaction', negated: true })).toEqual([bare, forgotten]);
    expect(await found({ operator: 'has', operand: 'link' })).toEqual([forgotten]);
    expect(await found({ operator: 'has', operand: 'image' })).toEqual([]);
    const wrong = { narrow: [['has', 'love']], anchor: 'newest', num_before: 1 };
    expect(await owner.get('/messages', wrong)).toMatchObject(refused('BAD_NARROW'));
  });
});

describe('participants of a topic', () => {
  it('include users who reacted', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, mia, otto] });
    const to = { to: channel, topic: 'lunch' };
    const first = await post(owner, to);
    granted(await add(mia, first, { emoji_name: 'tada' }));
    granted(await add(otto, first, { emoji_name: 'tada' }));
    granted(await remove(otto, first, { emoji_name: 'tada' }));
    const [heard] = await mia.receive(() => post(owner, { ...to, content: '@**topic**' }), 'message');
    expect(heard?.['flags']).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    const id = (heard?.['message'] as { id: number }).id;
    granted(await remove(mia, first, { emoji_name: 'tada' }));
    expect((await shown(mia, id)).flags).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    expect((await shown(otto, id)).flags).toEqual([]);
  });

  it('count for the permission of a topic wildcard', async () => {
    const people = [];
    for (let n = 0; n < 15; n += 1) people.push(await server.person());
    const channel = await server.channel(owner, { subscribers: [owner, ...people] });
    const to = { to: channel, topic: 'lunch' };
    const first = await post(owner, to);
    for (const one of people.slice(2)) granted(await add(one, first, { emoji_name: 'tada' }));
    const [author, last] = [people[0] ?? mia, people[2] ?? mia];
    const call = () => author.post('/messages', { type: 'channel', ...to, content: '@**topic**' });
    granted(await call());
    granted(await add(mia, first, { emoji_name: 'tada' }));
    expect(await call()).toMatchObject(refused('TOPIC_WILDCARD_MENTION_NOT_ALLOWED'));
    granted(await remove(last, first, { emoji_name: 'tada' }));
    granted(await call());
  });
});

describe('the emoji data', () => {
  it('are public, and cacheable', async () => {
    const { server_emoji_data_url } = await owner.register({ fetch_event_types: ['realm'] });
    const answer = await fetch(String(server_emoji_data_url));
    expect(answer.headers.get('content-type')).toMatch('application/json');
    const { code_to_names: names } = (await answer.json()) as { code_to_names: Record<string, string[]> };
    expect(names['1f44d']?.[0]).toBe('+1');
    expect(names['1f44d']).toContain('thumbs_up');
    expect(names['1f389']?.[0]).toBe('tada');
    expect(names['0031-20e3']?.[0]).toBe('one');
    expect(names['1f642']?.[0]).toBe('smile');
    expect(names['1f604']).not.toContain('smile');
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
    const again = await fetch(String(server_emoji_data_url), { headers });
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
  });
});
