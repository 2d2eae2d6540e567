import type { FeedReader } from '@annals/kernel';
import type { Audience, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { Places } from '../../read/history/places';
import { readPlaces } from '../../read/history/places';
import { readReactingNonSubscribers } from '../../read/reactions/reactions';
import { recipientsAudience, subscribersAndReadersAmong } from '../audiences';
import type { ProtectedHistory } from './protected-history';

/** An event about a message that does not move it: an edit or a reaction. */
export interface MessageActivity {
  readonly data: { readonly messageId: MessageId };
  readonly position: Position;
}

/** The places of the messages, and users who have them without being subscribed. */
export interface ActivityFacts {
  readonly places: Places;
  /** By position of the event: users who had reacted to the message without being subscribed. */
  readonly reacting: ReadonlyMap<Position, readonly UserId[]>;
  /** By position of the event. */
  readonly kept: ReadonlyMap<Position, ProtectedHistory>;
}

/** Reads the facts about the messages, without those of protected history (`readProtectedHistory`). */
export async function readActivityFacts(
  { client, realmId }: FeedReader,
  activities: readonly MessageActivity[],
): Promise<Omit<ActivityFacts, 'kept'>> {
  const ids = [...new Set(activities.map(({ data }) => data.messageId))];
  const places = await readPlaces(client, realmId, ids);
  const inChannels = activities.flatMap(({ data: { messageId }, position }) => {
    const place = places.at(messageId, position)?.place;
    return place && 'channelId' in place ? [{ position, messageId, channelId: place.channelId }] : [];
  });
  return { places, reacting: await readReactingNonSubscribers(client, realmId, inChannels) };
}

/**
 * Subscribers, and other users who can read the message and received it when it was sent or reacted to it. Null for a message that
 * never existed.
 */
export function audienceOf(
  { data, position }: MessageActivity,
  { places, reacting, kept }: ActivityFacts,
): Audience | null {
  const at = places.at(data.messageId, position);
  if (!at) return null;
  const { place, sentTo } = at;
  if ('userIds' in place) return { kind: 'users', users: place.userIds };
  const after = kept.get(position)?.after;
  if (after) return after.holders;
  const copies = {
    users: [at.senderId, ...at.mentioned, ...(reacting.get(position) ?? [])],
    sentTo: new Map(sentTo === null ? [] : [[sentTo, [data.messageId]]]),
  };
  return subscribersAndReadersAmong(place.channelId, recipientsAudience(copies));
}
