import type { Answer } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import { CHANNEL_SETTINGS } from '../../support/permissions/contract';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** How a channel can be (contract/permissions.md section 6). */
const SHAPES = {
  'web-public': { is_web_public: true },
  public: {},
  'private with shared history': { invite_only: true, history_public_to_subscribers: true },
  'private with protected history': { invite_only: true },
} as const;
type Shape = keyof typeof SHAPES;
const ALL_SHAPES = Object.keys(SHAPES) as Shape[];

const KINDS = [
  'owner',
  'administrator',
  'bot of role administrator',
  'moderator',
  'member',
  'bot of a subscriber',
  'subscriber',
  'member who was subscribed',
  'member who may add subscribers',
  'member who may subscribe',
  'member who administers',
  'guest',
  'guest who is subscribed',
  'guest who was subscribed',
  'guest in all groups',
] as const;
type Kind = (typeof KINDS)[number];

const ADMINISTRATORS: readonly Kind[] = ['owner', 'administrator', 'bot of role administrator'];
const SUBSCRIBED: readonly Kind[] = ['subscriber', 'guest who is subscribed'];
const NON_GUESTS = KINDS.filter((kind) => !kind.startsWith('guest'));
const READING: readonly Kind[] = ['member who may add subscribers', 'member who may subscribe'];
const KNOWING: readonly Kind[] = [...ADMINISTRATORS, ...READING, 'member who administers'];
/** Users who received a message while subscribed, subscribed now or not. */
const REACHED: readonly Kind[] = [
  ...SUBSCRIBED,
  'member who was subscribed',
  'member who may subscribe',
  'guest who was subscribed',
];

const everybody: readonly Kind[] = KINDS;
const open = { metadata: [...NON_GUESTS, ...SUBSCRIBED], content: [...NON_GUESTS, ...SUBSCRIBED] };
const closed = { metadata: [...SUBSCRIBED, ...KNOWING], content: [...SUBSCRIBED, ...READING] };

/** The users who can see a channel, and those who can read it. Users who can see it see its subscribers. */
const ACCESS: Readonly<Record<Shape, Record<'metadata' | 'content', readonly Kind[]>>> = {
  'web-public': { metadata: everybody, content: everybody },
  public: open,
  'private with shared history': closed,
  'private with protected history': closed,
};

let server: TestServer;
const people = {} as Record<Kind, Person>;
const channels = {} as Record<Shape, { readonly id: number; readonly name: string }>;

beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_WEB_PUBLIC_CHANNELS: 'on' } });
  granted(await server.owner.patch('/realm', { enable_spectator_access: true }));
  await gather();
  for (const shape of ALL_SHAPES) channels[shape] = await channelLike(shape);
});
afterAll(() => server.close());

async function gather(): Promise<void> {
  people.owner = await server.person({ role: 'owner' });
  for (const role of ['administrator', 'moderator'] as const) people[role] = await server.person({ role });
  people['bot of role administrator'] = await server.bot(people.owner);
  granted(await server.owner.patch(`/users/${people['bot of role administrator'].id}`, { role: 200 }));
  for (const kind of KINDS) {
    if (kind === 'bot of a subscriber') continue;
    people[kind] ??= await server.person(kind.startsWith('guest') ? { role: 'guest' } : {});
  }
  people['bot of a subscriber'] = await server.bot(people.subscriber);
}

/** A channel where two messages were sent: one before and one while people were subscribed. */
async function channelLike(shape: Shape): Promise<{ id: number; name: string }> {
  const only = (kind: Kind) => ({
    direct_members: [people[kind].id, people['guest in all groups'].id],
    direct_subgroups: [],
  });
  const name = `a ${shape} channel`;
  const input = {
    ...{ name, subscribers: [server.owner.id], ...SHAPES[shape] },
    can_add_subscribers_group: only('member who may add subscribers'),
    can_subscribe_group: only('member who may subscribe'),
    can_administer_channel_group: only('member who administers'),
  };
  const { id } = granted(await server.owner.post<{ id: number }>('/channels/create', input));
  const say = (content: string) => server.owner.post('/messages', { type: 'channel', to: id, topic: 'talk', content });
  const named = { subscriptions: [{ name }], principals: REACHED.map((kind) => people[kind].id) };
  const leaving = REACHED.filter((kind) => !SUBSCRIBED.includes(kind)).map((kind) => people[kind].id);
  granted(await say('before'));
  granted(await server.owner.post('/users/me/subscriptions', named));
  granted(await say('while'));
  granted(await server.owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: leaving }));
  return { id, name };
}

const outcome = ({ status, body }: Answer) => (status === 200 ? 'may' : `${body.code}: ${body.msg}`);

async function outcomes(ask: (by: Person) => Promise<string>): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const kind of KINDS) all[kind] = await ask(people[kind]);
  return all;
}

const each = (of: (kind: Kind) => string) => Object.fromEntries(KINDS.map((kind) => [kind, of(kind)]));
const mayOr = (refusal: string, those: readonly Kind[]) => each((kind) => (those.includes(kind) ? 'may' : refusal));

/** Texts of the channel's messages that a user gets, oldest first. */
async function texts(by: Person, id: number): Promise<string> {
  const narrow = [{ operator: 'channel', operand: id }];
  const asked = { narrow, anchor: 'newest', num_before: 10, apply_markdown: false };
  const { status, body } = await by.get<{ messages?: { content: string }[] }>('/messages', asked);
  const known = body.messages?.map(({ content }) => content).filter((text) => ['before', 'while'].includes(text));
  return status === 200 ? (known ?? []).join(' ') : `${body.code}`;
}

const LIFE = [
  ['in use', false],
  ['archived', true],
] as const;
const UNKNOWN = 'BAD_REQUEST: Invalid channel ID';

describe.each(LIFE)('a channel that is %s', (_, archived) => {
  beforeAll(async () => {
    for (const { id } of Object.values(channels)) if (archived) granted(await server.owner.delete(`/streams/${id}`));
  });

  describe.each(ALL_SHAPES)('and %s', (shape) => {
    const { metadata, content } = ACCESS[shape];

    it('is visible to users with access, and unknown to others', async () => {
      const { id } = channels[shape];
      expect(await outcomes(async (by) => outcome(await by.get(`/streams/${id}`)))).toEqual(mayOr(UNKNOWN, metadata));
      const nowhere = await people.owner.get('/streams/99999');
      expect(outcome(nowhere)).toBe(UNKNOWN);
    });

    it('shows its subscribers to users who can see it', async () => {
      const { id } = channels[shape];
      const list = async (by: Person) => outcome(await by.get(`/streams/${id}/members`));
      expect(await outcomes(list)).toEqual(mayOr(UNKNOWN, metadata));
    });

    it('is readable for users with access', async () => {
      const { id } = channels[shape];
      const read = async (by: Person) => outcome(await by.get(`/users/me/${id}/topics`));
      expect(await outcomes(read)).toEqual(mayOr(UNKNOWN, content));
    });

    it('has a history for readers, and with protected history only what they received', async () => {
      const expected = each((kind) => {
        if (!metadata.includes(kind)) return 'BAD_NARROW';
        if (!content.includes(kind)) return '';
        if (shape !== 'private with protected history') return 'before while';
        return REACHED.includes(kind) ? 'while' : '';
      });
      expect(await outcomes((by) => texts(by, channels[shape].id))).toEqual(expected);
    });

    it('is administered by administrators of the organization and its own; others learn that only if they can see it', async () => {
      const { id } = channels[shape];
      const change = async (by: Person) =>
        (await by.patch(`/streams/${id}`, { description: 'new' })).body.code ?? 'may';
      const may: readonly Kind[] = [...ADMINISTRATORS, 'member who administers'];
      const expected = each((kind) => {
        if (may.includes(kind)) return 'may';
        return content.includes(kind) ? 'CANNOT_ADMINISTER_CHANNEL' : 'BAD_REQUEST';
      });
      expect(await outcomes(change)).toEqual(expected);
    });
  });
});

describe('permissions of a private channel', () => {
  const names = Object.keys(CHANNEL_SETTINGS) as (keyof typeof CHANNEL_SETTINGS)[];
  let count = 0;
  const make = (input: object) =>
    server.channel(server.owner, { name: `closed ${++count}`, invite_only: true, ...input });

  it.each(names)('%s requires access to the content, or not', async (name) => {
    const { needsContent } = CHANNEL_SETTINGS[name];
    const { everyone, owners } = await systemGroups(server.owner);
    const change = {
      [name]: {
        new: name === 'can_create_topic_group' ? { direct_members: [], direct_subgroups: [owners, everyone] } : owners,
      },
    };
    const id = await make({ history_public_to_subscribers: true, subscribers: [people.owner] });
    const { status, body } = await people.administrator.patch(`/streams/${id}`, change);
    expect(status === 200 ? 'may' : body.code).toBe(needsContent ? 'BAD_REQUEST' : 'may');
    granted(await people.owner.patch(`/streams/${id}`, { [name]: { new: owners } }));
  });

  it.each(names)('%s gives its access, and none to guests', async (name) => {
    const { grants } = CHANNEL_SETTINGS[name];
    const those = [people.member.id, people.guest.id];
    const value = { direct_members: those, direct_subgroups: [] };
    const id = await make({ history_public_to_subscribers: true, [name]: value });
    const sees = async (by: Person) => ({
      metadata: (await by.get(`/streams/${id}`)).status === 200,
      content: (await by.get(`/users/me/${id}/topics`)).status === 200,
    });
    expect(await sees(people.member)).toEqual({ metadata: grants !== 'nothing', content: grants === 'content' });
    expect(await sees(people.guest)).toEqual({ metadata: false, content: false });
  });
});
