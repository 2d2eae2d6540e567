import type { Answer } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { Kind } from '../../support/permissions/stage';
import { KINDS, Stage } from '../../support/permissions/stage';

const OWNERS: readonly Kind[] = ['owner'];
const ADMINISTRATORS: readonly Kind[] = ['owner', 'administrator'];
const NON_GUESTS = KINDS.filter((kind) => kind !== 'guest');
const BOTS: readonly Kind[] = ['bot', 'bot of an administrator'];

/** Acts that depend on the role, and on no setting. */
interface RoleAct {
  readonly what: string;
  readonly may: readonly Kind[];
  readonly attempt: (by: Person) => Promise<Answer>;
  /** Code of the refusal; `BAD_REQUEST` when left out. */
  readonly code?: string;
  /** Error code for callers with a refusal of their own. */
  readonly codes?: Partial<Readonly<Record<Kind, string>>>;
}

const GATED = { may: ADMINISTRATORS, code: 'UNAUTHORIZED_PRINCIPAL' } as const;

let stage: Stage;
let folder: number;
beforeAll(async () => {
  stage = await Stage.open();
  const made = await stage.keeper.post<{ channel_folder_id: number }>('/channel_folders/create', {
    name: 'folder',
    description: '',
  });
  folder = granted(made).channel_folder_id;
});
afterAll(() => stage.close());

const create = (by: Person, request: object) =>
  by.post('/channels/create', { name: stage.word(), subscribers: [], ...request });

/** Changes a channel that every member administers. */
async function change(by: Person, request: object): Promise<Answer> {
  const administered = { can_administer_channel_group: stage.groups['members'] };
  const { id } = await stage.channel({ subscribers: stage.present([by]), ...administered });
  return by.patch(`/streams/${id}`, { ...request });
}

const channel = async (request: object = {}) => (await stage.channel({ ...request })).id;
const subscribe = async (by: Person, request: object) =>
  by.post('/users/me/subscriptions', { subscriptions: [{ name: (await stage.channel({ ...request })).name }] });

/** Contract/channels.md sections 2, 5, 7 and 8. */
const CHANNELS: readonly RoleAct[] = [
  {
    what: 'creating a default channel',
    may: ADMINISTRATORS,
    attempt: (by) => create(by, { is_default_stream: true }),
  },
  {
    what: 'making a channel a default one',
    may: ADMINISTRATORS,
    attempt: (by) => change(by, { is_default_stream: true }),
    codes: { guest: 'CANNOT_ADMINISTER_CHANNEL' },
  },
  {
    what: 'creating a channel whose messages are kept for ever',
    may: OWNERS,
    attempt: (by) => create(by, { message_retention_days: 'unlimited' }),
    code: 'UNAUTHORIZED_PRINCIPAL',
    codes: { guest: 'BAD_REQUEST' },
  },
  {
    what: 'changing how long messages are kept',
    may: OWNERS,
    attempt: (by) => change(by, { message_retention_days: 'unlimited' }),
    code: 'UNAUTHORIZED_PRINCIPAL',
    codes: { guest: 'CANNOT_ADMINISTER_CHANNEL' },
  },
  {
    ...GATED,
    what: 'naming a default channel',
    attempt: async (by) => by.post('/default_streams', { stream_id: await channel() }),
  },
  {
    ...GATED,
    what: 'taking a default channel from the list',
    attempt: async (by) => by.delete('/default_streams', { stream_id: await channel({ is_default_stream: true }) }),
  },
  {
    ...GATED,
    what: 'making a folder',
    attempt: (by) => by.post('/channel_folders/create', { name: stage.word(), description: '' }),
  },
  {
    ...GATED,
    what: 'changing a folder',
    attempt: (by) => by.patch(`/channel_folders/${folder}`, { description: stage.word() }),
  },
  {
    ...GATED,
    what: 'bringing folders into an order',
    async attempt(by) {
      const { channel_folders } = granted(
        await stage.keeper.get<{ channel_folders: { id: number }[] }>('/channel_folders', { include_archived: true }),
      );
      return by.patch('/channel_folders', { order: channel_folders.map(({ id }) => id) });
    },
  },
  { what: 'listing folders', may: KINDS, attempt: (by) => by.get('/channel_folders') },
  { what: 'listing channels', may: KINDS, attempt: (by) => by.get('/streams', { include_all: true }) },
];

/** Contract/subscriptions.md sections 1 to 4. */
const SUBSCRIPTIONS: readonly RoleAct[] = [
  { what: 'subscribing to a public channel', may: NON_GUESTS, attempt: (by) => subscribe(by, {}) },
  {
    what: 'subscribing to a private channel',
    may: [],
    attempt: (by) => subscribe(by, { invite_only: true, history_public_to_subscribers: true }),
  },
  { what: "seeing one's subscriptions", may: KINDS, attempt: (by) => by.get('/users/me/subscriptions') },
  {
    what: 'leaving a channel',
    may: KINDS,
    async attempt(by) {
      const { name } = await stage.channel({ subscribers: stage.present([by]) });
      return by.delete('/users/me/subscriptions', { subscriptions: [name] });
    },
  },
  {
    what: 'taking somebody out of a channel that one administers',
    may: ADMINISTRATORS,
    async attempt(by) {
      const subscribers = stage.present([by, stage.bystander]);
      const administered = { can_administer_channel_group: stage.groups['members'] };
      const { name } = await stage.channel({ subscribers, ...administered });
      return by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [stage.bystander.id] });
    },
  },
  {
    what: 'taking the bot of an administrator out of a public channel',
    may: [...ADMINISTRATORS, 'bot of an administrator'],
    async attempt(by) {
      const bot = stage.people['bot of an administrator'];
      const { name } = await stage.channel({ subscribers: stage.present([bot]) });
      return by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [bot.id] });
    },
    codes: { guest: 'STREAM_DOES_NOT_EXIST' },
  },
  {
    what: 'choosing a colour for a channel one is subscribed to',
    may: KINDS,
    async attempt(by) {
      const id = await channel({ subscribers: stage.present([by]) });
      return by.patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '#123456' });
    },
  },
  {
    what: 'choosing a colour for a channel one is not subscribed to',
    may: [],
    attempt: async (by) =>
      by.patch(`/users/me/subscriptions/${await channel()}`, { property: 'color', value: '#123456' }),
  },
];

/** Contract/groups.md section 2. */
const GROUPS: readonly RoleAct[] = [
  '/user_groups',
  '/user_groups/2/members',
  '/user_groups/2/members/1',
  '/user_groups/2/subgroups',
].map((path) => ({ what: `GET ${path}`, may: NON_GUESTS, attempt: (by) => by.get(path) }));

/** Contract/permissions.md sections 1, 5.1 and 7; contract/users.md sections 3 to 5 and 7. */
const ORGANIZATION: readonly RoleAct[] = [
  { ...GATED, what: 'changing a setting', attempt: (by) => by.patch('/realm', { description: stage.word() }) },
  {
    what: 'making an account, which not even owners may unless the operator lets them',
    may: [],
    async attempt(by) {
      const account = { email: `${stage.word()}@example.com`, full_name: 'New One', password: 'a very long password' };
      return by.post('/users', account);
    },
    code: 'UNAUTHORIZED_PRINCIPAL',
    codes: { owner: 'BAD_REQUEST', administrator: 'BAD_REQUEST' },
  },
  {
    what: 'changing somebody',
    may: ADMINISTRATORS,
    attempt: (by) => by.patch(`/users/${stage.bystander.id}`, { full_name: stage.word() }),
  },
  {
    what: 'changing the bot of an administrator',
    may: ADMINISTRATORS,
    attempt: (by) => by.patch(`/users/${stage.people['bot of an administrator'].id}`, { full_name: stage.word() }),
  },
  {
    what: 'deactivating a bot of the keeper',
    may: ADMINISTRATORS,
    attempt: async (by) => by.delete(`/bots/${(await stage.server.bot(stage.keeper)).id}`),
  },
  {
    what: "deactivating a bot of one's own",
    may: NON_GUESTS.filter((kind) => !BOTS.includes(kind)),
    async attempt(by) {
      const request = { full_name: 'Own', short_name: stage.word(), bot_type: 1 };
      const made = await by.post<{ user_id: number }>('/bots', request);
      return made.status === 200 ? by.delete(`/bots/${made.body.user_id}`) : made;
    },
  },
];

const ALL = { CHANNELS, SUBSCRIPTIONS, GROUPS, ORGANIZATION };

describe.each(Object.entries(ALL))('in %s', (_, acts) => {
  it.each(acts)(
    '$what is allowed to exactly these roles',
    async ({ may, attempt, code = 'BAD_REQUEST', codes = {} }) => {
      const outcomes: Record<string, string> = {};
      for (const kind of KINDS) {
        const { status, body } = await attempt(stage.people[kind]);
        outcomes[kind] = status === 200 ? 'may' : (body.code ?? `${status}`);
      }
      const expected = KINDS.map((kind) => {
        if (kind === 'somebody who left') return [kind, 'USER_DEACTIVATED'];
        if (may.includes(kind)) return [kind, 'may'];
        return [kind, codes[kind] ?? code];
      });
      expect(outcomes).toEqual(Object.fromEntries(expected));
    },
  );
});

describe('a role', () => {
  it.each([
    ['owner', 100, true, true, false],
    ['administrator', 200, false, true, false],
    ['moderator', 300, false, false, false],
    ['full member', 400, false, false, false],
    ['new member', 400, false, false, false],
    ['guest', 600, false, false, true],
    ['bot', 400, false, false, false],
  ] as const)('of %s is %i', async (kind, role, is_owner, is_admin, is_guest) => {
    const { user } = granted(await stage.keeper.get<{ user: object }>(`/users/${stage.people[kind].id}`));
    expect(user).toMatchObject({ role, is_owner, is_admin, is_guest });
    const state = await stage.people[kind].register({ fetch_event_types: ['realm_user'] });
    expect(state).toMatchObject({ is_owner, is_admin, is_guest, is_moderator: role <= 300 });
  });
});
