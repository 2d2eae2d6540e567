import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { addReaction, removeReaction, shownMessage } from '../../support/requests/reactions';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
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
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const reaction = (by: Person, emoji_name: string, emoji_code: string, reaction_type = 'unicode_emoji') => ({
  emoji_name,
  emoji_code,
  reaction_type,
  user_id: by.id,
});

describe('POST /messages/{message_id}/reactions', () => {
  it('adds an emoji to a message, in the order of addition', async () => {
    const id = await post(mia);
    expect(plain(await addReaction(otto, id, { emoji_name: 'tada' }))).toEqual(success);
    expect(plain(await addReaction(mia, id, { emoji_name: '+1' }))).toEqual(success);
    granted(await addReaction(owner, id, { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }));
    granted(await addReaction(otto, id, { emoji_name: 'zulip' }));
    const reactions = [
      reaction(otto, 'tada', '1f389'),
      reaction(mia, '+1', '1f44d'),
      reaction(owner, 'tada', '1f389'),
      reaction(otto, 'zulip', 'zulip', 'zulip_extra_emoji'),
    ];
    expect((await shownMessage(mia, id)).reactions).toEqual(reactions);
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
    granted(await addReaction(mia, id, { emoji_name }));
    expect((await shownMessage(mia, id)).reactions).toEqual([reaction(mia, emoji_name, code)]);
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
      granted(await addReaction(mia, id, { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }));
    }
    expect((await shownMessage(mia, id)).reactions).toEqual(entries.map(([name, code]) => reaction(mia, name, code)));
  });

  it.each([
    ['heart', '1f49b'],
    ['smile', '1f600'],
    ['hand', '1f44d'],
    ['happy', '1f603'],
    ['flag', '1f1e9-1f1ea'],
    ['red heart', '2764'],
  ])('refuses %s for %s, which has another name for clients', async (emoji_name, emoji_code) => {
    const id = await post(mia);
    for (const reaction_type of ['unicode_emoji', undefined]) {
      const params = { emoji_name, emoji_code, ...(reaction_type && { reaction_type }) };
      expect(await addReaction(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await shownMessage(mia, id)).reactions).toEqual([]);
  });

  it('refuses a duplicate under any name', async () => {
    const id = await post(mia);
    granted(await addReaction(mia, id, { emoji_name: '+1' }));
    for (const emoji_name of ['+1', 'thumbs_up']) {
      expect(await addReaction(mia, id, { emoji_name })).toMatchObject(refused('REACTION_ALREADY_EXISTS'));
    }
    granted(await addReaction(otto, id, { emoji_name: 'thumbs_up' }));
    const whole = { emoji_name: 'no such name', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    granted(await addReaction(owner, id, whole));
    expect((await shownMessage(mia, id)).reactions).toEqual(
      [mia, otto, owner].map((one) => reaction(one, '+1', '1f44d')),
    );
  });

  it('has one name for concurrent reactions with several names', async () => {
    const id = await post(mia);
    const people: Person[] = [];
    for (let n = 0; n < 30; n++) people.push(await server.person());
    const names = ['+1', 'thumbs_up'];
    const received = await mia.receive(
      () =>
        Promise.all(people.map(async (one, n) => granted(await addReaction(one, id, { emoji_name: names[n % 2] })))),
      'reaction',
    );
    const { reactions } = await shownMessage(mia, id);
    expect([reactions.length, received.length]).toEqual([30, 30]);
    const named = [...reactions, ...received] as readonly { emoji_name: string }[];
    expect(new Set(named.map(({ emoji_name }) => emoji_name)).size).toBe(1);
  });

  it('takes another name when all reactions with the first name are removed', async () => {
    const id = await post(mia);
    granted(await addReaction(mia, id, { emoji_name: '+1' }));
    granted(await removeReaction(mia, id, { emoji_name: '+1' }));
    granted(await addReaction(otto, id, { emoji_name: 'thumbs_up' }));
    granted(await addReaction(mia, id, { emoji_name: '+1' }));
    expect((await shownMessage(mia, id)).reactions).toEqual(
      [otto, mia].map((one) => reaction(one, 'thumbs_up', '1f44d')),
    );
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
    expect(await addReaction(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    expect((await shownMessage(mia, id)).reactions).toEqual([]);
  });

  it('reports invalid parameters', async () => {
    const { body } = await addReaction(mia, await post(mia), { emoji_name: 'tada', size: 3 });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['size'] });
  });

  it('keeps the flags read and historical of a message that was not received', async () => {
    const id = await post(mia);
    granted(await addReaction(otto, id, { emoji_name: 'tada' }));
    expect((await shownMessage(otto, id)).flags).toEqual(['read', 'historical']);
  });

  it('is allowed to bots and guests with access', async () => {
    const guest = await server.person({ role: 'guest' });
    const bot = await server.bot(mia);
    const id = await post(mia);
    granted(await addReaction(bot, id, { emoji_name: 'tada' }));
    expect(await addReaction(guest, id, { emoji_name: 'tada' })).toMatchObject(refused('BAD_REQUEST'));
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [guest.id] }));
    granted(await addReaction(guest, id, { emoji_name: 'tada' }));
  });
});

describe('DELETE /messages/{message_id}/reactions', () => {
  it('removes the own reaction, by name or by code', async () => {
    const id = await post(mia);
    for (const one of [mia, otto]) granted(await addReaction(one, id, { emoji_name: 'heart' }));
    expect(plain(await removeReaction(mia, id, { emoji_name: 'love_you' }))).toEqual(success);
    expect((await shownMessage(mia, id)).reactions).toEqual([reaction(otto, 'heart', '2764')]);
    expect(plain(await removeReaction(otto, id, { emoji_code: '2764' }))).toEqual(success);
    expect((await shownMessage(mia, id)).reactions).toEqual([]);
    granted(await addReaction(mia, id, { emoji_name: 'zulip' }));
    expect(await removeReaction(mia, id, { emoji_name: 'zulip' })).toMatchObject(refused('REACTION_DOES_NOT_EXIST'));
    granted(await removeReaction(mia, id, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' }));
    granted(await addReaction(mia, id, { emoji_name: 'tada' }));
    expect((await shownMessage(mia, id)).reactions).toEqual([reaction(mia, 'tada', '1f389')]);
  });

  it('refuses missing reactions, and a request without a name', async () => {
    const id = await post(mia);
    granted(await addReaction(otto, id, { emoji_name: 'tada' }));
    for (const params of [{ emoji_name: 'tada' }, { emoji_code: '1f389' }, { emoji_code: 'malformed' }]) {
      expect(await removeReaction(mia, id, params)).toMatchObject(refused('REACTION_DOES_NOT_EXIST'));
    }
    for (const params of [{}, { emoji_name: 'no such name' }, { emoji_code: '1f389', reaction_type: 'emoji' }]) {
      expect(await removeReaction(mia, id, params)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await shownMessage(mia, id)).reactions).toHaveLength(1);
  });
});

describe('an inaccessible message', () => {
  it('gets the answer of an unknown one', async () => {
    const id = await post(mia, { type: 'direct', to: [owner.id] });
    const secret = await server.channel(owner, { invite_only: true, subscribers: [owner, mia] });
    const hidden = await post(mia, { to: secret });
    for (const act of [addReaction, removeReaction]) {
      const missing = plain(await act(otto, 999_999, { emoji_name: 'tada' }));
      expect(missing).toMatchObject(refused('BAD_REQUEST'));
      for (const one of [id, hidden, 0, 2 ** 52]) {
        expect(plain(await act(otto, one, { emoji_name: 'tada' }))).toEqual(missing);
      }
    }
  });

  it('includes messages before the subscription where history is protected', async () => {
    const name = 'protected';
    const input = { name, invite_only: true, history_public_to_subscribers: false, subscribers: [owner, mia] };
    const channel = await server.channel(owner, input);
    const before = await post(mia, { to: channel });
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [otto.id] }));
    expect(await addReaction(otto, before, { emoji_name: 'tada' })).toMatchObject(refused('BAD_REQUEST'));
    granted(await addReaction(otto, await post(mia, { to: channel }), { emoji_name: 'tada' }));
  });

  it('includes messages of an archived channel, for reactions', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, mia] });
    const id = await post(mia, { to: channel });
    granted(await addReaction(mia, id, { emoji_name: 'tada' }));
    granted(await owner.delete(`/streams/${channel}`));
    const missing = plain(await addReaction(mia, 999_999, { emoji_name: '+1' }));
    for (const act of [addReaction, removeReaction]) {
      for (const emoji_name of ['tada', '+1']) expect(plain(await act(mia, id, { emoji_name }))).toEqual(missing);
    }
    expect((await shownMessage(mia, id)).reactions).toEqual([reaction(mia, 'tada', '1f389')]);
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
