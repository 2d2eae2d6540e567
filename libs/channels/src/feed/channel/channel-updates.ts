import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import type { ChannelId, Position, Recorded, UserId } from '@annals/kernel/domain';
import { namedBy, presentGroupSetting } from '@annals/kernel/domain';
import { departedAmong } from '@annals/users';
import { channelAggregate, erasedChannelName } from '../../domain/channel/channel';
import type { ChannelDescribed, ChannelEvent, ChannelRenamed } from '../../domain/events';
import type { SystemGroupIds } from '../../domain/channel/settings';
import type { ChannelRow } from '../../read/channel/channel-row';
import { descriptionHtml, postPolicy } from '../../read/channel/present-channel';
import type { ChannelPayload } from '../payloads';

type Wire = Readonly<Record<string, unknown>>;
type Update = Extract<ChannelPayload, { op: 'update' }>;
type Worded = Recorded<ChannelRenamed | ChannelDescribed>;

/** The facts for presenting changes of channels, beside the channels. */
export interface UpdateFacts {
  /** Events that changed texts of channels, by position. */
  readonly worded: ReadonlyMap<Position, Worded>;
  readonly departed: ReadonlySet<UserId>;
}

export async function updateFacts(reader: FeedReader, events: readonly PositionedClientEvent[]): Promise<UpdateFacts> {
  const updates = events.map(({ payload }) => payload as unknown as Update);
  const renamed = updates.filter(({ property }) => property === 'name' || property === 'description');
  const worded = new Map<Position, Worded>();
  for (const id of new Set(renamed.map(({ channelId }) => channelId))) {
    for (const event of (await reader.stream(channelAggregate.stream(id))) as readonly Recorded<ChannelEvent>[]) {
      if (isWorded(event)) worded.set(event.position, event);
    }
  }
  const named = namedBy(updates.flatMap(({ setting }) => setting?.to ?? []));
  return { worded, departed: await departedAmong(reader.client, reader.realmId, named) };
}

const isWorded = (event: Recorded<ChannelEvent>): event is Worded =>
  event.type === 'channels.ChannelRenamed' || event.type === 'channels.ChannelDescribed';

/** contract/channels.md section 5.1 */
export function presentUpdate(
  { position }: PositionedClientEvent,
  update: Update,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  groups: SystemGroupIds,
  facts: UpdateFacts,
): readonly Wire[] {
  const { property, value, setting } = update;
  const event: Wire = { type: 'stream', op: 'update', property, stream_id: channel.id, name: channel.name };
  switch (property) {
    case 'name':
      return [{ ...event, ...names(channel.id, facts.worded.get(position)) }];
    case 'description': {
      const description = descriptionIn(facts.worded.get(position));
      return [{ ...event, value: description, rendered_description: descriptionHtml(description) }];
    }
    case 'invite_only': {
      const { historyPublicToSubscribers: history, isWebPublic } = update;
      return [{ ...event, value, history_public_to_subscribers: history, is_web_public: isWebPublic }];
    }
    case 'message_retention_days':
    case 'topics_policy':
    case 'folder_id':
    case 'is_archived':
    case 'first_message_id':
    case 'is_recently_active':
    case 'stream_weekly_traffic':
      return [{ ...event, value }];
    default:
      return setting ? presentPermission(event, setting, groups, facts) : [];
  }
}

/** Old clients also receive who may post in their own terms. */
function presentPermission(
  event: Wire,
  { from, to }: NonNullable<Update['setting']>,
  groups: SystemGroupIds,
  { departed }: UpdateFacts,
): readonly Wire[] {
  const shown = { ...event, value: presentGroupSetting(to, (user) => !departed.has(user as UserId)) };
  if (event['property'] !== 'can_send_message_group') return [shown];
  const [policy, before] = [postPolicy(to, groups), postPolicy(from, groups)];
  if (policy === before) return [shown];
  return [
    shown,
    { ...event, property: 'stream_post_policy', value: policy },
    { ...event, property: 'is_announcement_only', value: policy === 2 },
  ];
}

function names(id: ChannelId, event: Worded | undefined) {
  if (event?.type !== 'channels.ChannelRenamed' || event.sealed === 'erased') {
    return { name: erasedChannelName(id), value: erasedChannelName(id) };
  }
  return { name: event.sealed.previous, value: event.sealed.name };
}

const descriptionIn = (event: Worded | undefined): string =>
  event?.type !== 'channels.ChannelDescribed' || event.sealed === 'erased' ? '' : event.sealed.description;
