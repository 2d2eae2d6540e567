import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { PIXEL, picture, sendPicture } from '../../support/requests/pictures';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let chief: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  ben = await server.person({ name: 'Ben' });
  chief = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

interface ShownUser {
  readonly full_name: string;
  readonly role: number;
  readonly bot_owner_id: number | null;
  readonly avatar_url: string | null;
}
const shown = async (bot: Person) => granted(await owner.get<{ user: ShownUser }>(`/users/${bot.id}`)).user;
const refused = (msg?: string, code = 'BAD_REQUEST') => ({
  status: 400,
  body: { result: 'error', code, ...(msg && { msg }) },
});
const registered = async (by: Person) => {
  const { realm_bots } = await by.register({ fetch_event_types: ['realm_bot'] });
  return (realm_bots as { user_id: number }[]).map(({ user_id }) => user_id);
};
const own = expect.stringMatching(/^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=2$/) as string;
const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};

describe('GET /bots', () => {
  it('lists the own active bots, without their keys', async () => {
    const clara = await server.person();
    expect(granted(await clara.get('/bots'))).toMatchObject({ bots: [] });
    const [first, deactivated] = [await server.bot(clara, { name: 'First' }), await server.bot(clara)];
    await server.bot(ann);
    granted(await clara.delete(`/bots/${deactivated.id}`));
    const { status, body } = await clara.get('/bots');
    expect([status, body]).toEqual([
      200,
      {
        result: 'success',
        msg: '',
        bots: [
          {
            user_id: first.id,
            username: first.email,
            full_name: 'First',
            avatar_url: expect.stringContaining('https://secure.gravatar.com/') as string,
            ...DEFAULTS,
            services: [],
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(first.key);
  });

  it('is not allowed to guests', async () => {
    const guest = await server.person({ role: 'guest' });
    expect(await guest.get('/bots')).toMatchObject(refused());
  });
});

describe('POST /bots with a picture', () => {
  const input = (short_name: string) => ({ full_name: 'Painter', short_name });

  it('creates a bot with this picture', async () => {
    const made = granted(
      await sendPicture<{ user_id: number; avatar_url: string }>(ann, 'POST', '/bots', { fields: input('painter') }),
    );
    expect(made.avatar_url).toEqual(own);
    expect((await fetch(server.url + made.avatar_url)).status).toBe(200);
  });

  it('creates no bot for an invalid picture, or two', async () => {
    const before = granted(await ann.get<{ bots: object[] }>('/bots')).bots;
    const text = new Uint8Array(Buffer.from('no picture'));
    const bad = await sendPicture(ann, 'POST', '/bots', { pictures: [text], fields: input('painter2') });
    expect(bad).toMatchObject(refused('Invalid image format', 'BAD_IMAGE'));
    const two = await sendPicture(ann, 'POST', '/bots', { pictures: [PIXEL, PIXEL], fields: input('painter2') });
    expect(two).toMatchObject(refused('You may only upload one file at a time'));
    const taken = await sendPicture(ann, 'POST', '/bots', { fields: input('painter') });
    expect(taken).toMatchObject(refused('Username already in use.'));
    expect(granted(await ann.get<{ bots: object[] }>('/bots')).bots).toEqual(before);
  });
});

describe('PATCH /bots/{bot_id}', () => {
  it('lets its owner and administrators change name and picture', async () => {
    const bot = await server.bot(ann);
    const answer = await sendPicture(ann, 'PATCH', `/bots/${bot.id}`, { fields: { full_name: ' Helper ' } });
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: 'success', msg: '', full_name: 'Helper', avatar_url: own, ...DEFAULTS, bot_owner: ann.email },
    ]);
    expect(await shown(bot)).toMatchObject({ full_name: 'Helper', avatar_url: own });
    expect(granted(await chief.patch(`/bots/${bot.id}`, { full_name: 'Aide' }))).toMatchObject({ full_name: 'Aide' });
    const old = (await shown(bot)).avatar_url ?? '';
    const next = { pictures: [await picture('webp')] };
    granted(await sendPicture(chief, 'PATCH', `/bots/${bot.id}`, next));
    expect((await fetch(server.url + old)).status).toBe(404);
    expect((await fetch(server.url + ((await shown(bot)).avatar_url ?? ''))).status).toBe(200);
  });

  it('sends what has changed, and no event when nothing has', async () => {
    const bot = await server.bot(ann, { name: 'Same' });
    const events = await ben.receive(() =>
      sendPicture(ann, 'PATCH', `/bots/${bot.id}`, { fields: { full_name: 'New' } }),
    );
    expect(events.map(({ type, person }) => [type, Object.keys(person as object)])).toEqual([
      ['realm_user', ['user_id', 'full_name']],
      ['realm_user', ['user_id', 'avatar_url', 'avatar_url_medium', 'avatar_source', 'avatar_version']],
    ]);
    const nothing = await owner.receive(async () => {
      granted(await ann.patch(`/bots/${bot.id}`, { full_name: 'New', bot_owner_id: ann.id }));
      granted(await ann.patch(`/bots/${bot.id}`));
      granted(await ann.patch(`/bots/${bot.id}`, { full_name: '  ' }));
      granted(await chief.patch(`/bots/${bot.id}`, { role: 400 }));
    });
    expect(nothing).toEqual([]);
  });

  it('gives it another address by its short name, with which it logs in from then on', async () => {
    const bot = await server.bot(ann);
    const email = 'aide-bot@annals.invalid';
    const events = await ben.receive(() => ann.patch(`/bots/${bot.id}`, { short_name: ' Aide ' }));
    expect(events).toMatchObject([
      { type: 'realm_user', person: { user_id: bot.id, delivery_email: 'Aide-bot@annals.invalid' } },
      { type: 'realm_user', person: { user_id: bot.id, new_email: 'Aide-bot@annals.invalid' } },
      { type: 'realm_user', person: { user_id: bot.id, avatar_source: 'G' } },
    ]);
    granted(await server.as({ email, key: bot.key }).get('/users/me'));
    expect((await bot.get('/users/me')).status).toBe(401);
    expect(await owner.receive(() => chief.patch(`/bots/${bot.id}`, { short_name: 'Aide' }))).toEqual([]);
    const other = await server.bot(ben);
    expect(await ben.patch(`/bots/${other.id}`, { short_name: 'aide' })).toMatchObject(
      refused('Username already in use.'),
    );
    for (const short_name of ['', ' ', 'a b', 'a@b', '-'])
      expect(await ben.patch(`/bots/${other.id}`, { short_name })).toMatchObject(refused('Bad name or username'));
    expect(await ann.patch(`/bots/${other.id}`, { short_name: 'mine' })).toMatchObject(
      refused('Insufficient permission'),
    );
  });

  it('is not allowed to others, and refuses people and unknown ids', async () => {
    const bot = await server.bot(ann, { name: 'Mine' });
    for (const by of [ben, bot, await server.person({ role: 'moderator' })]) {
      expect(await by.patch(`/bots/${bot.id}`, { full_name: 'Theirs' })).toMatchObject(
        refused('Insufficient permission'),
      );
    }
    for (const id of [ann.id, 999_999, 0]) {
      expect(await owner.patch(`/bots/${id}`, { full_name: 'X Y' })).toMatchObject(refused('No such bot'));
    }
    expect(await shown(bot)).toMatchObject({ full_name: 'Mine' });
  });

  const noOwner = 'Failed to change owner, no such user';
  it.each<[Params, string]>([
    [{ full_name: 'x' }, 'Name too short!'],
    [{ full_name: 'a*b' }, 'Invalid characters in name!'],
    [{ role: 150, full_name: 'Other' }, 'Invalid role'],
    [{ role: 'member' }, 'role'],
    [{ bot_owner_id: 'ann' }, 'bot_owner_id'],
    [{ bot_owner_id: 999_999, full_name: 'Other' }, noOwner],
    [{ bot_owner_id: -1 }, noOwner],
    [{ bot_owner_id: 2, full_name: 'Other' }, noOwner],
    [{ config_data: { key: 'value' }, full_name: 'Other' }, 'Invalid configuration data!'],
    [{ config_data: { key: 1 } }, 'config_data'],
  ])('refuses %j, and changes nothing', async (input, msg) => {
    const bot = await server.bot(ann);
    const before = await shown(bot);
    expect(await owner.patch(`/bots/${bot.id}`, input)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining(msg) as string },
    });
    expect(await shown(bot)).toEqual(before);
  });

  it('lets administrators change its role, and owners only make it an owner', async () => {
    const bot = await server.bot(ann);
    expect(await ann.patch(`/bots/${bot.id}`, { role: 200 })).toMatchObject({
      body: { code: 'UNAUTHORIZED_PRINCIPAL' },
    });
    expect(await chief.patch(`/bots/${bot.id}`, { role: 100 })).toMatchObject({
      body: { code: 'UNAUTHORIZED_PRINCIPAL' },
    });
    granted(await chief.patch(`/bots/${bot.id}`, { role: 300 }));
    expect(await shown(bot)).toMatchObject({ role: 300 });
    granted(await owner.patch(`/bots/${bot.id}`, { role: 100 }));
    for (const grab of [
      chief.post(`/bots/${bot.id}/api_key/regenerate`),
      chief.patch(`/bots/${bot.id}`, { bot_owner_id: chief.id }),
    ]) {
      expect(await grab).toMatchObject(refused(undefined, 'UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await chief.patch(`/bots/${bot.id}`, { role: 400 })).toMatchObject({
      body: { code: 'UNAUTHORIZED_PRINCIPAL' },
    });
    granted(await owner.patch(`/bots/${bot.id}`, { role: 400 }));
    expect(await shown(bot)).toMatchObject({ role: 400 });
  });
});

describe('a bot with a new owner', () => {
  it('belongs to the new owner only', async () => {
    const bot = await server.bot(ann);
    granted(await ann.patch(`/bots/${bot.id}`, { bot_owner_id: ben.id }));
    expect(await shown(bot)).toMatchObject({ bot_owner_id: ben.id });
    expect([(await registered(ann)).includes(bot.id), (await registered(ben)).includes(bot.id)]).toEqual([false, true]);
    expect(await ann.patch(`/bots/${bot.id}`, { bot_owner_id: ann.id })).toMatchObject(
      refused('Insufficient permission'),
    );
    granted(await ben.patch(`/bots/${bot.id}`, { full_name: 'Ben’s' }));
  });

  it('is sent to all as a user, and as a bot to its former and new administrators', async () => {
    const bot = await server.bot(ann);
    const queues = await Promise.all([ann, ben, chief].map((one) => one.register({ fetch_event_types: [] })));
    granted(await chief.patch(`/bots/${bot.id}`, { bot_owner_id: ben.id }));
    const received = await Promise.all(
      [ann, ben, chief].map(async (one, n) => {
        const queue = queues[n];
        return queue ? (await one.events(queue)).map(({ id: _, ...event }) => event) : [];
      }),
    );
    const changed = { type: 'realm_user', op: 'update', person: { user_id: bot.id, bot_owner_id: ben.id } };
    expect(received).toEqual([
      [{ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, changed],
      [{ type: 'realm_bot', op: 'add', bot: { user_id: bot.id, ...DEFAULTS, services: [] } }, changed],
      [changed],
    ]);
  });

  it('is given to active people only', async () => {
    const bot = await server.bot(ann);
    const other = await server.bot(ann);
    const deactivated = await server.person();
    granted(await owner.delete(`/users/${deactivated.id}`));
    const give = (to: Person) => ann.patch(`/bots/${bot.id}`, { bot_owner_id: to.id });
    expect(await give(other)).toMatchObject(refused("Failed to change owner, bots can't own other bots"));
    expect(await give(bot)).toMatchObject(refused("Failed to change owner, bots can't own other bots"));
    expect(await give(deactivated)).toMatchObject(refused('Failed to change owner, user is deactivated'));
    expect(await shown(bot)).toMatchObject({ bot_owner_id: ann.id });
  });

  it('is deactivated with its present owner, not with the former one', async () => {
    const [from, to] = [await server.person(), await server.person()];
    const bot = await server.bot(from);
    granted(await from.patch(`/bots/${bot.id}`, { bot_owner_id: to.id }));
    granted(await owner.delete(`/users/${from.id}`));
    expect((await bot.get('/users/me')).status).toBe(200);
    const events = await owner.receive(() => owner.delete(`/users/${to.id}`), 'realm_bot');
    expect(events).toMatchObject([{ op: 'delete', bot: { user_id: bot.id } }]);
    expect(await bot.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
  });

  it('may be deactivated: then it is sent as a user only', async () => {
    const bot = await server.bot(ann);
    granted(await ann.delete(`/bots/${bot.id}`));
    const events = await ben.receive(() => chief.patch(`/bots/${bot.id}`, { bot_owner_id: ben.id }));
    expect(events).toMatchObject([{ type: 'realm_user', person: { user_id: bot.id, bot_owner_id: ben.id } }]);
    expect(events).toHaveLength(1);
    expect(await registered(ben)).not.toContain(bot.id);
  });

  it('is removed from channels by its new owner only', async () => {
    const bot = await server.bot(ann);
    const { name } = await server.namedChannel(owner, { subscribers: [owner, ann, ben, bot] });
    granted(await ann.patch(`/bots/${bot.id}`, { bot_owner_id: ben.id }));
    const remove = (by: Person) =>
      by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [bot.id] });
    expect((await remove(ann)).status).toBe(400);
    expect(granted(await remove(ben))).toMatchObject({ removed: [name] });
  });
});

it('a bot that was deleted with its owner gets no new owner', async () => {
  const deactivated = await server.person();
  const bot = await server.bot(deactivated);
  granted(await owner.delete(`/users/${deactivated.id}`, { actions: { delete_profile: true } }));
  expect(await owner.patch(`/bots/${bot.id}`, { full_name: 'Back' })).toMatchObject(refused('User is deleted'));
});
