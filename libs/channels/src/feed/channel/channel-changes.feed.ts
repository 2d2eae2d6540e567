import { defineFeed, translate } from '@annals/kernel';
import type { FeedReader } from '@annals/kernel';
import type { Audience, ChannelId, ClientEvent, Position, Recorded, UserId } from '@annals/kernel/domain';
import { sameGroupSetting } from '@annals/kernel/domain';
import type { ChannelPrivacy } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import type { ChannelEvent } from '../../domain/events';
import {
  Archived,
  ChannelDescribed,
  ChannelRenamed,
  DefaultChanged,
  FolderChosen,
  PermissionsChanged,
  PrivacyChanged,
  RetentionChanged,
  TopicsPolicyChanged,
  Unarchived,
} from '../../domain/events';
import { CHANNEL_SETTINGS } from '../../domain/channel/settings';
import { subscribersAt } from '../../read/subscription/subscribers';
import { readChannelsAt } from '../channels-at';
import { ALL_NON_GUESTS, knowing } from '../audiences';
import type { ChannelPayload, Property } from '../payloads';
import { channelEvent, subscriptionEvent } from '../payloads';

/** Each changed channel right before and right after a position. */
interface Facts {
  before(id: ChannelId, position: Position): Channel;
  after(id: ChannelId, position: Position): Channel;
  /** Of channels that were unarchived at a position. */
  readonly subscribers: ReadonlyMap<Position, readonly UserId[]>;
}

const CHANGES = [ChannelRenamed, ChannelDescribed, RetentionChanged, TopicsPolicyChanged, FolderChosen] as const;
const PROPERTIES = {
  'channels.ChannelRenamed': 'name',
  'channels.ChannelDescribed': 'description',
  'channels.RetentionChanged': 'message_retention_days',
  'channels.TopicsPolicyChanged': 'topics_policy',
  'channels.FolderChosen': 'folder_id',
} as const satisfies Partial<Record<ChannelEvent['type'], Property>>;

/** Client events of changed channels (contract/channels.md sections 5.1 and 6). */
export const channelChangesFeed = defineFeed({
  name: 'channel-changes',
  facts: gather,
  translations: [
    ...CHANGES.map((definition) =>
      translate(definition, ({ type, data: { channelId }, position }, facts: Facts) => [
        updated(facts.after(channelId, position), PROPERTIES[type], metadata(channelId)),
      ]),
    ),
    translate(PrivacyChanged, ({ data: { channelId }, position }, facts: Facts) => {
      const after = facts.after(channelId, position);
      return withVisibilityChange(facts.before(channelId, position), after, (those) => [
        updated(after, 'invite_only', those),
      ]);
    }),
    translate(PermissionsChanged, ({ data, position }, facts: Facts) => {
      const after = facts.after(data.channelId, position);
      const changed = CHANNEL_SETTINGS.filter((name) => !sameGroupSetting(data.settings[name], data.previous[name]));
      return withVisibilityChange(facts.before(data.channelId, position), after, (those) =>
        changed.map((name) =>
          updated(after, name, those, { setting: { from: data.previous[name], to: data.settings[name] } }),
        ),
      );
    }),
    translate(DefaultChanged, () => [{ type: 'default_streams', audience: ALL_NON_GUESTS, payload: {} }]),
    translate(Archived, ({ data: { channelId }, position }, facts: Facts) => [
      updated(facts.after(channelId, position), 'is_archived', metadata(channelId), { clients: 'new' }),
      channelEvent({ op: 'delete', channelIds: [channelId], clients: 'old' }, metadata(channelId)),
    ]),
    translate(Unarchived, ({ data: { channelId }, position }, facts: Facts) => [
      updated(facts.after(channelId, position), 'is_archived', metadata(channelId), { clients: 'new' }),
      ...returned(channelId, facts.subscribers.get(position) ?? []),
    ]),
  ],
});

const metadata = (channel: ChannelId): Audience => ({ kind: 'metadata', channel });

/** Clients without support for archived channels receive the channel and its subscriptions as new. */
function returned(id: ChannelId, subscribers: readonly UserId[]): ClientEvent[] {
  const own: Audience = { kind: 'users', users: subscribers };
  const others: Audience = { kind: 'but', these: { kind: 'subscriber-list', channel: id }, not: own };
  const [channelIds, clients] = [[id], 'old' as const];
  return [
    channelEvent({ op: 'create', channelIds, isPeopledNext: true, clients }, metadata(id)),
    subscriptionEvent({ op: 'add', channelIds, clients }, own),
    subscriptionEvent({ op: 'peer_add', channelIds, userIds: 'all', clients }, others),
  ];
}

/** Texts are read at delivery. Everything else is in the payload. */
function updated(
  channel: Channel,
  property: Property,
  audience: Audience,
  values: Partial<Extract<ChannelPayload, { op: 'update' }>> = {},
): ClientEvent {
  const common = { op: 'update' as const, channelId: channel.id, property };
  return channelEvent({ ...common, ...valueOf(channel, property), ...values }, audience);
}

function valueOf(channel: Channel, property: Property) {
  switch (property) {
    case 'invite_only': {
      const { inviteOnly, historyPublicToSubscribers, isWebPublic } = channel;
      return { value: inviteOnly, historyPublicToSubscribers, isWebPublic };
    }
    case 'message_retention_days':
      return { value: channel.messageRetentionDays };
    case 'topics_policy':
      return { value: channel.topicsPolicy };
    case 'folder_id':
      return { value: channel.folderId };
    case 'is_archived':
      return { value: channel.isArchived };
    default:
      return {};
  }
}

/** Events for users who can see the channel from now on, for users who no longer can, and for users who receive the change. */
function withVisibilityChange(
  before: Channel,
  after: Channel,
  change: (those: Audience) => readonly ClientEvent[],
): readonly ClientEvent[] {
  const id = after.id;
  if (sameVisibility(before, after)) return change(metadata(id));
  const knew = knowing(id, before);
  const gained: Audience = { kind: 'but', these: metadata(id), not: knew };
  const lost: Audience = { kind: 'but', these: knew, not: metadata(id) };
  return [
    channelEvent({ op: 'create', channelIds: [id], isPeopledNext: true }, gained),
    subscriptionEvent({ op: 'peer_add', channelIds: [id], userIds: 'all' }, gained),
    channelEvent({ op: 'delete', channelIds: [id] }, lost),
    ...change({ kind: 'but', these: metadata(id), not: gained }),
  ];
}

const DECIDING = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'] as const;

/** Whether the same users can see the channel before and after. */
const sameVisibility = (a: ChannelPrivacy, b: ChannelPrivacy): boolean =>
  a.inviteOnly === b.inviteOnly &&
  a.isWebPublic === b.isWebPublic &&
  DECIDING.every((name) => sameGroupSetting(a.settings[name], b.settings[name]));

async function gather(reader: FeedReader, events: readonly Recorded[]): Promise<Facts> {
  const ids = new Set((events as readonly Recorded<ChannelEvent>[]).map(({ data }) => data.channelId));
  const { at } = await readChannelsAt(reader, [...ids], ((events[0]?.position ?? 1) - 1) as Position);
  const state = (id: ChannelId, position: number): Channel => {
    const channel = at(id, position as Position);
    if (!channel) throw new Error(`channel ${id} is not there at position ${position}`);
    return channel;
  };
  const subscribers = new Map<Position, readonly UserId[]>();
  for (const { type, data, position } of events as readonly Recorded<ChannelEvent>[]) {
    if (type !== Unarchived.type) continue;
    const found = await subscribersAt(reader.client, reader.realmId, [data.channelId], position);
    subscribers.set(position, found.get(data.channelId) ?? []);
  }
  return { before: (id, position) => state(id, position - 1), after: state, subscribers };
}
