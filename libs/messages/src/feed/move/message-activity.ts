import type { FeedReader } from '@annals/kernel';
import type { Audience, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { Places } from '../../read/history/places';
import { readPlaces } from '../../read/history/places';
import { reactingOutsiders } from '../../read/reactions/reactions';
import { recipientsAudience, subscribersAndReadersAmong } from '../audiences';
import type { ProtectedHistory } from './protected-history';

/** Something that happened to a message where it was: an edit, a reaction. */
export interface MessageActivity {
  readonly data: { readonly messageId: MessageId };
  readonly position: Position;
}

/** Where touched messages were, and who has them without being subscribed. */
export interface ActivityFacts {
  readonly places: Places;
  /** By position of the touch: who had reacted to the message without being subscribed. */
  readonly outsiders: ReadonlyMap<Position, readonly UserId[]>;
  /** By position of the touch. */
  readonly kept: ReadonlyMap<Position, ProtectedHistory>;
}

/** Reads what is known of touched messages wherever they are; what channels keep of their history is read beside it. */
export async function readActivityFacts(
  { client, realmId }: FeedReader,
  touches: readonly MessageActivity[],
): Promise<Omit<ActivityFacts, 'kept'>> {
  const ids = [...new Set(touches.map(({ data }) => data.messageId))];
  const places = await readPlaces(client, realmId, ids);
  const inChannels = touches.flatMap(({ data: { messageId }, position }) => {
    const place = places.at(messageId, position)?.place;
    return place && 'channelId' in place ? [{ position, messageId, channelId: place.channelId }] : [];
  });
  return { places, outsiders: await reactingOutsiders(client, realmId, inChannels) };
}

/**
 * Subscribers, and everybody else who has a copy of the message and can still read it: because it reached them when it
 * was sent, or they reacted to it. Null for a message that there never was.
 */
export function audienceOf(
  { data, position }: MessageActivity,
  { places, outsiders, kept }: ActivityFacts,
): Audience | null {
  const at = places.at(data.messageId, position);
  if (!at) return null;
  const { place, sentTo } = at;
  if ('userIds' in place) return { kind: 'users', users: place.userIds };
  const keeps = kept.get(position)?.after;
  if (keeps) return keeps.holders;
  const copies = {
    users: [at.senderId, ...at.mentioned, ...(outsiders.get(position) ?? [])],
    sentTo: new Map(sentTo === null ? [] : [[sentTo, [data.messageId]]]),
  };
  return subscribersAndReadersAmong(place.channelId, recipientsAudience(copies));
}
