import type { Answer, Params } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

const DAY = 24 * 60 * 60 * 1000;
const KINDS = ['owner', 'administrator', 'moderator', 'full member', 'new member', 'guest'] as const;
type Kind = (typeof KINDS)[number];

/** Who is in each system group (contract/permissions.md section 2). */
const GROUPS = {
  nobody: [],
  owners: ['owner'],
  administrators: ['owner', 'administrator'],
  moderators: ['owner', 'administrator', 'moderator'],
  fullmembers: ['owner', 'administrator', 'moderator', 'full member'],
  members: ['owner', 'administrator', 'moderator', 'full member', 'new member'],
  everyone: [...KINDS],
} as const satisfies Record<string, readonly Kind[]>;
type Group = keyof typeof GROUPS;

/** What a permission lets somebody do; `channel` has it set to the group in question. */
interface Act {
  /** The channel's kind, and who is subscribed to it before. */
  readonly isPrivate: boolean;
  readonly subscribed: boolean;
  readonly does: (by: Person, channel: Channel) => Promise<Answer>;
  /** Kinds that may whatever the setting is, and kinds that may never. */
  readonly always: readonly Kind[];
  readonly never: readonly Kind[];
}
interface Channel {
  readonly id: number;
  readonly name: string;
}

let server: TestServer;
let groups: Record<string, number>;
const people = {} as Record<Kind, Person>;
let passer: Person;
let count = 0;

beforeAll(async () => {
  server = await startServer();
  people.owner = server.owner;
  for (const kind of ['administrator', 'moderator', 'guest'] as const)
    people[kind] = await server.person({ role: kind });
  people['full member'] = await server.person();
  passer = await server.person();
  server.clock.advance(4 * DAY);
  people['new member'] = await server.person();
  granted(await server.owner.patch('/realm', { waiting_period_threshold: 3 }));
  const { body } = await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
  // Otherwise the organization's own setting lets members add people everywhere.
  granted(await server.owner.patch('/realm', { can_add_subscribers_group: { new: groups['nobody'] } }));
});
afterAll(() => server.close());

const send = (by: Person, { id }: Channel, topic: string) =>
  by.post('/messages', { type: 'channel', to: id, topic, content: 'may I?' });

/** Each permission of a channel (contract/permissions.md section 4) with an act that asks for it. */
const ACTS: Readonly<Record<string, Act>> = {
  can_send_message_group: {
    isPrivate: false,
    subscribed: true,
    does: (by, channel) => send(by, channel, 'old'),
    always: [],
    never: [],
  },
  can_create_topic_group: {
    isPrivate: false,
    subscribed: true,
    does: (by, channel) => send(by, channel, `new ${++count}`),
    always: [],
    never: [],
  },
  can_subscribe_group: {
    isPrivate: true,
    subscribed: false,
    does: (by, { name }) => by.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    always: [],
    never: ['guest'],
  },
  can_add_subscribers_group: {
    isPrivate: false,
    subscribed: true,
    does: (by, { name }) => by.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [passer.id] }),
    always: ['owner', 'administrator'],
    never: ['guest'],
  },
  can_remove_subscribers_group: {
    isPrivate: false,
    subscribed: true,
    does: (by, { name }) => by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [passer.id] }),
    always: ['owner', 'administrator'],
    never: ['guest'],
  },
  can_administer_channel_group: {
    isPrivate: false,
    subscribed: true,
    does: (by, { id }) => by.patch(`/streams/${id}`, { description: `changed ${++count}` }),
    always: ['owner', 'administrator'],
    never: ['guest'],
  },
};

const CASES = Object.keys(ACTS).flatMap((setting) =>
  (Object.keys(GROUPS) as Group[])
    .filter((group) => group !== 'everyone' || ACTS[setting]?.never.length === 0)
    .map((group) => [setting, group] as const),
);

/** A channel whose other permissions let nobody do what this one is about. */
async function channelWith(setting: string, value: unknown, { isPrivate, subscribed }: Act): Promise<Channel> {
  const name = `channel ${++count}`;
  const wish: Params = {
    ...{ name, invite_only: isPrivate, history_public_to_subscribers: true },
    ...{ can_administer_channel_group: groups['nobody'], [setting]: value },
    subscribers: subscribed ? KINDS.map((kind) => people[kind].id) : [],
  };
  const { id } = granted(await server.owner.post<{ id: number }>('/channels/create', wish));
  if (setting === 'can_send_message_group') await topicIn(id, name, value);
  return { id, name };
}

/** A topic to post to, begun while everybody may. */
async function topicIn(id: number, name: string, value: unknown): Promise<void> {
  const allow = (to: unknown) => server.owner.patch(`/streams/${id}`, { can_send_message_group: { new: to } });
  granted(await allow(groups['everyone']));
  granted(await send(server.owner, { id, name }, 'old'));
  granted(await allow(value));
}

async function whoMay(act: Act, channel: Channel): Promise<Kind[]> {
  const may: Kind[] = [];
  for (const kind of KINDS) if ((await act.does(people[kind], channel)).status === 200) may.push(kind);
  return may;
}

const expected = ({ always, never }: Act, inside: readonly Kind[]): Kind[] =>
  KINDS.filter((kind) => always.includes(kind) || (inside.includes(kind) && !never.includes(kind)));

describe('a permission of a channel', () => {
  it.each(CASES)('%s for %s lets exactly those do it', async (setting, group) => {
    const act = ACTS[setting] as Act;
    const channel = await channelWith(setting, groups[group], act);
    expect(await whoMay(act, channel)).toEqual(expected(act, GROUPS[group]));
  });

  it.each(Object.keys(ACTS))('%s takes people and groups together, and no guest where that is so', async (setting) => {
    const act = ACTS[setting] as Act;
    const value = {
      direct_members: [people.guest.id, people['new member'].id],
      direct_subgroups: [groups['moderators'], groups['nobody']],
    };
    const channel = await channelWith(setting, value, act);
    const inside: Kind[] = ['owner', 'administrator', 'moderator', 'new member', 'guest'];
    expect(await whoMay(act, channel)).toEqual(expected(act, inside));
  });
});
