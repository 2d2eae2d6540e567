import type { FeedReader } from '@annals/kernel';
import type { Audience, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';
import type { Places } from '../read/places';
import { readPlaces } from '../read/places';
import { reactingOutsiders } from '../read/reactions';
import { membersOf, stillReading } from './audiences';

/** Something that happened to a message where it was: an edit, a reaction. */
export interface Touch {
  readonly data: { readonly messageId: MessageId };
  readonly position: Position;
}

/** Where touched messages were, and who has them without being subscribed. */
export interface TouchFacts {
  readonly places: Places;
  /** By position of the touch: who had reacted to the message without being subscribed. */
  readonly outsiders: ReadonlyMap<Position, readonly UserId[]>;
}

export async function readTouched({ client, realmId }: FeedReader, touches: readonly Touch[]): Promise<TouchFacts> {
  const ids = [...new Set(touches.map(({ data }) => data.messageId))];
  const places = await readPlaces(client, realmId, ids);
  const inChannels = touches.flatMap(({ data: { messageId }, position }) => {
    const place = places.at(messageId, position)?.place;
    return place && 'channelId' in place ? [{ position, messageId, channelId: place.channelId }] : [];
  });
  return { places, outsiders: await reactingOutsiders(client, realmId, inChannels) };
}

/** Who has the message and can still read it; null for a message that there never was. */
export function holdersOf({ data, position }: Touch, { places, outsiders }: TouchFacts): Audience | null {
  const at = places.at(data.messageId, position);
  if (!at) return null;
  const people = [at.senderId, ...at.called, ...(outsiders.get(position) ?? [])];
  return { kind: 'any', of: receiversOf(at.place, people).map((those) => stillReading(those, at.place)) };
}

/** Whom a message concerns: subscribers, its sender and those it called, or the people in its conversation. */
export function receiversOf(place: Place, people: readonly UserId[]): Audience[] {
  if ('userIds' in place) return [{ kind: 'users', users: place.userIds }];
  return [membersOf(place.channelId), { kind: 'users', users: people }];
}
