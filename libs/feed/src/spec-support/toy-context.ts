import type { ChannelId, ClientEvent, Position, Role, UserId } from '@annals/kernel/domain';
import type { FeedReader, PositionedClientEvent, RegisterBlock } from '@annals/kernel';
import { defineContext, defineFeed, definePresenter, defineProjection, on, translate } from '@annals/kernel';
import { Role as Roles } from '@annals/kernel/domain';
import type { LoadedRules, RulesAsked } from '../delivery/audience/audience-rules';
import { AudienceRules } from '../delivery/audience/audience-rules';
import { pollsEnded, queuesEnded, queuesOfKeysEnded } from '../domain/terminations';
import { Arrived, Departed, Joined, KeysRevoked, Left, Opened, Posted, Renamed, RoleChanged } from './toy-events';

const words = <S>(sealed: S | 'erased', none: S): S => (sealed === 'erased' ? none : sealed);

const accountSpans = defineProjection({
  name: 'toy_accounts',
  version: 1,
  lifecycle: 'inline',
  tables: {
    account_spans: {
      columns: { user_id: 'int8', from_position: 'int8', to_position: 'int8', role: 'int2', is_active: 'bool' },
      key: ['user_id', 'from_position'],
    },
  },
  handlers: [
    on(Arrived, ({ data, position }, rows) =>
      rows.insert('account_spans', span(data.userId, position, { role: data.role, is_active: true })),
    ),
    on(RoleChanged, ({ data, position }, rows) => {
      rows.update('account_spans', { user_id: data.userId, to_position: null }, { to_position: position });
      rows.insert('account_spans', span(data.userId, position, { role: data.role, is_active: true }));
    }),
    on(Departed, ({ data, position }, rows) => {
      rows.update('account_spans', { user_id: data.userId, to_position: null }, { to_position: position });
      rows.insert('account_spans', span(data.userId, position, { role: Roles.guest, is_active: false }));
    }),
  ],
});

const span = (user: UserId, from: Position, what: { role: Role; is_active: boolean }) => ({
  user_id: user,
  from_position: from,
  to_position: null,
  ...what,
});

const channels = defineProjection({
  name: 'toy_channels',
  version: 1,
  lifecycle: 'inline',
  tables: {
    toy_channels: {
      columns: { channel_id: 'int8', is_private: 'bool', name: 'text', opened_at: 'int8' },
      key: ['channel_id'],
    },
    memberships: {
      columns: { channel_id: 'int8', user_id: 'int8', from_position: 'int8', to_position: 'int8' },
      key: ['channel_id', 'user_id', 'from_position'],
    },
    toy_posts: { columns: { post_id: 'int8', channel_id: 'int8' }, key: ['post_id'] },
  },
  handlers: [
    on(Opened, ({ data, sealed, position }, rows) =>
      rows.insert('toy_channels', {
        channel_id: data.channelId,
        is_private: data.isPrivate,
        name: words(sealed, { name: '' }).name,
        opened_at: position,
      }),
    ),
    on(Renamed, ({ data, sealed }, rows) =>
      rows.update('toy_channels', { channel_id: data.channelId }, { name: words(sealed, { name: '' }).name }),
    ),
    on(Joined, ({ data, position }, rows) => {
      for (const user of data.userIds) {
        const row = { channel_id: data.channelId, user_id: user, from_position: position, to_position: null };
        rows.insert('memberships', row);
      }
    }),
    on(Left, ({ data, position }, rows) => {
      for (const user of data.userIds) {
        const where = { channel_id: data.channelId, user_id: user, to_position: null };
        rows.update('memberships', where, { to_position: position });
      }
    }),
    on(Posted, ({ data, position }, rows) =>
      rows.insert('toy_posts', { post_id: position, channel_id: data.channelId }),
    ),
  ],
});

interface Channel {
  readonly channel_id: ChannelId;
  readonly is_private: boolean;
  readonly name: string;
  readonly opened_at: Position;
}

async function channelsIn({ client, realmId }: FeedReader): Promise<Map<ChannelId, Channel>> {
  const { rows } = await client.query<Channel>(
    'SELECT channel_id, is_private, name, opened_at FROM view.toy_channels WHERE realm_id = $1 ORDER BY channel_id',
    [realmId],
  );
  return new Map(rows.map((row) => [row.channel_id, row]));
}

const userOf = (user: UserId) => ({ kind: 'users', users: [user] }) as const;
const about = (channel: ChannelId, op: 'create' | 'delete' | 'update') => ({ op, channel });
const toEveryone = (payload: Record<string, unknown>): ClientEvent => ({
  type: 'realm_user',
  audience: { kind: 'everyone' },
  payload,
});

/** Client events that follow from the log alone. */
const directFeed = defineFeed({
  name: 'toy-direct',
  translations: [
    translate(Arrived, ({ data }) => [toEveryone({ op: 'add', user: data.userId, role: data.role })]),
    translate(Joined, ({ data: { channelId: channel, userIds: users } }) => [
      { type: 'stream', audience: { kind: 'users', users }, payload: about(channel, 'create') },
      { type: 'subscription', audience: { kind: 'users', users }, payload: { op: 'add', channel } },
    ]),
    translate(Posted, ({ data: { channelId: channel }, sealed }) => {
      if (words(sealed, { text: '' }).text === 'untranslatable') throw new TypeError('this cannot be translated');
      const of = [
        { kind: 'members', channel },
        { kind: 'all-public', channel },
      ] as const;
      return [{ type: 'message', audience: { kind: 'any', of }, payload: { channel } }];
    }),
  ],
});

/** Needs facts, or is stored because a worker acts on it. */
const storedFeed = defineFeed({
  name: 'toy-stored',
  facts: channelsIn,
  translations: [
    translate(RoleChanged, ({ data, position }, known: Map<ChannelId, Channel>) => {
      const open = [...known.values()].filter(({ is_private, opened_at }) => !is_private && opened_at <= position);
      const op = data.role === Roles.guest ? 'delete' : 'create';
      return [
        toEveryone({ op: 'role', user: data.userId, role: data.role }),
        ...open.map(({ channel_id: channel }) => ({
          type: 'stream',
          audience:
            op === 'create'
              ? userOf(data.userId)
              : ({ kind: 'but', these: userOf(data.userId), not: { kind: 'metadata', channel } } as const),
          payload: about(channel, op),
        })),
      ];
    }),
    translate(Departed, ({ data }) => [toEveryone({ op: 'remove', user: data.userId }), queuesEnded([data.userId])]),
    translate(KeysRevoked, ({ data: { userId, keyIds } }) => [queuesOfKeysEnded(userId, keyIds), pollsEnded([userId])]),
    translate(Opened, ({ data: { channelId: channel } }) => [
      { type: 'stream', audience: { kind: 'metadata', channel }, payload: about(channel, 'create') },
    ]),
    translate(Renamed, ({ data: { channelId: channel }, sealed }) => {
      if (words(sealed, { name: '' }).name === 'untranslatable') throw new TypeError('this cannot be translated');
      return [{ type: 'stream', audience: { kind: 'metadata', channel }, payload: about(channel, 'update') }];
    }),
    translate(Left, ({ data: { channelId: channel, userIds: users } }) => [
      { type: 'subscription', audience: { kind: 'users', users }, payload: { op: 'remove', channel } },
      {
        type: 'stream',
        audience: { kind: 'but', these: { kind: 'users', users }, not: { kind: 'metadata', channel } },
        payload: about(channel, 'delete'),
      },
    ]),
  ],
});

interface Payload {
  readonly op: string;
  readonly channel: ChannelId;
}
const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as Payload;
const same = (type: string) =>
  definePresenter({
    type,
    load: async () => null,
    present: ({ payload }) => [{ type, ...payload }],
    variant: () => '',
  });

const streams = definePresenter({
  type: 'stream',
  load: channelsIn,
  present: (event, known) => {
    const { op, channel } = payloadOf(event);
    if (op === 'delete') return [{ type: 'stream', op, stream_id: channel }];
    return [{ type: 'stream', op, stream_id: channel, name: known.get(channel)?.name ?? null }];
  },
  variant: () => '',
});

/** Old clients (those without bulk deletions, for this toy) receive every message twice. */
const messages = definePresenter({
  type: 'message',
  load: async (reader, events) => ({ known: await channelsIn(reader), texts: await textsOf(reader, events) }),
  present: (event, { known, texts }, queue) => {
    const { channel } = payloadOf(event);
    const message = {
      id: event.position,
      type: 'stream',
      display_recipient: known.get(channel)?.name,
      subject: '',
      sender_email: 'somebody@example.com',
      content: queue.applyMarkdown ? `<p>${texts.get(event.position)}</p>` : texts.get(event.position),
    };
    if (message.content === 'poison') throw new TypeError('this cannot be written');
    const once = { type: 'message', message, flags: [] };
    return queue.capabilities.bulk_message_deletion ? [once] : [once, once];
  },
  variant: (_, __, queue) => `${queue.applyMarkdown} ${queue.capabilities.bulk_message_deletion}`,
});

/** A client event that is only signalled: a user nudges others, who see the sender. Names do not matter here. */
const nudges = definePresenter({
  type: 'nudge',
  load: async () => null,
  present: ({ payload }) => {
    if (payload['by'] === 'poison') throw new TypeError('this cannot be written');
    return [{ type: 'nudge', ...payload }];
  },
  variant: () => '',
});

async function textsOf({ client, realmId }: FeedReader, events: readonly PositionedClientEvent[]) {
  const { rows } = await client.query<{ position: Position; text: string }>(
    `SELECT position, sealed->'words'->>'text' AS text FROM events
      WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    [realmId, events.map(({ position }) => position)],
  );
  return new Map(rows.map(({ position, text }) => [position, text]));
}

const stateBlock: RegisterBlock = {
  keys: ['realm_user', 'stream', 'subscription', 'message'],
  async read({ client, realmId }, { userId: user, role: is }, { keys }) {
    const ask = async (sql: string) =>
      (await client.query<{ row: unknown }>(sql, [realmId, user])).rows.map(({ row }) => row);
    const isMember = `EXISTS (SELECT FROM view.memberships m WHERE m.realm_id = $1 AND m.user_id = $2
      AND m.channel_id = c.channel_id AND m.to_position IS NULL)`;
    const isVisible = is === Roles.guest ? isMember : `(NOT c.is_private OR ${isMember})`;
    return {
      ...(keys.has('realm_user') && {
        realm_users: await ask(`SELECT jsonb_build_object('user', user_id, 'role', role) AS row FROM view.account_spans
          WHERE realm_id = $1 AND to_position IS NULL AND is_active AND $2::int8 > 0 ORDER BY user_id`),
      }),
      ...(keys.has('stream') && {
        streams: await ask(`SELECT jsonb_build_object('stream_id', c.channel_id, 'name', c.name) AS row
          FROM view.toy_channels c WHERE c.realm_id = $1 AND ${isVisible} ORDER BY c.channel_id`),
      }),
      ...(keys.has('subscription') && {
        subscriptions: await ask(`SELECT channel_id AS row FROM view.memberships
          WHERE realm_id = $1 AND user_id = $2 AND to_position IS NULL ORDER BY channel_id`),
      }),
      ...(keys.has('message') && {
        messages: await ask(`SELECT p.post_id AS row FROM view.toy_posts p JOIN view.memberships m
          ON m.realm_id = p.realm_id AND m.channel_id = p.channel_id AND m.from_position <= p.post_id
          AND (m.to_position IS NULL OR m.to_position > p.post_id)
          WHERE p.realm_id = $1 AND m.user_id = $2 ORDER BY p.post_id`),
      }),
    };
  },
};

/**
 * The smallest context that uses everything the feed supports: people with roles, channels with members, posts. Private
 * channels are known to their members only, and guests know no others.
 */
export const toyContext = defineContext({
  name: 'toy',
  events: [Arrived, RoleChanged, Departed, KeysRevoked, Opened, Renamed, Joined, Left, Posted],
  projections: [accountSpans, channels],
  feeds: [directFeed, storedFeed],
  presenters: [same('realm_user'), same('subscription'), streams, messages, nudges],
  registerBlocks: [stateBlock],
});

/** The audience rules of the toy context. It has no groups. */
export class ToyRules extends AudienceRules {
  /** Guests were never restricted. */
  override readonly restrictions =
    'SELECT realm_id, from_position, to_position FROM view.account_spans WHERE from_position < 0';

  override async load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules> {
    const known = asked.access.size + asked.privacy.size > 0 ? await channelsIn(reader) : new Map<ChannelId, Channel>();
    const isPublic = (channel: ChannelId) => known.get(channel)?.is_private === false;
    const mayKnow: LoadedRules['mayKnow'] = (channel, person, isMember) =>
      isMember || (isPublic(channel) && person.role !== Roles.guest);
    return { mayKnow, mayRead: mayKnow, maySeeSubscribers: mayKnow, isPublic, isInGroup: () => false };
  }
}
