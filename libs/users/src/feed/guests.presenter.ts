import type { FeedReader, PlacedClientEvent, Presenter, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ReadSight } from '../read/account/user-access';
import { presentUser } from '../read/account/present-user';
import { NO_PROFILE } from '../read/profile/profiles';
import { UNKNOWN_NAME, unknownUser } from '../read/account/unknown-user';
import { viewerOf } from '../read/account/viewer';
import type { GuestsSight } from './guest-user-access';
import { readGuestsSight } from './guest-user-access';
import type { UserPayload } from './payloads';
import type { SightPayload } from './user-access-events';
import { before } from './user-access-events';
import { usersPresenter } from './users.presenter';

type Payload = UserPayload | SightPayload;

interface Loaded {
  readonly realmId: RealmId;
  readonly sight: GuestsSight;
  /** What `usersPresenter` has read. */
  readonly people: never;
}

const payloadOf = ({ payload }: PlacedClientEvent) => payload as unknown as Payload;
const isSight = (event: PlacedClientEvent): boolean => payloadOf(event).op === 'sight';

/** Somebody comes into sight by an event. */
const arrival = (userId: UserId, event: PlacedClientEvent): PlacedClientEvent => ({
  ...event,
  payload: { op: 'add', userId, at: event.position, isKnown: true },
});

/**
 * `realm_user` as guests hear it who may not see everybody (contract/realtime.md sections 2.1 and 6.3): nothing of those
 * whom they could not see then or do not see any more, and who came into their sight or went out of it. Everybody else
 * hears all of it.
 */
export const guestsPresenter = (readSight: ReadSight): Presenter =>
  definePresenter<Loaded>({
    type: 'realm_user',
    load: async (reader, events, listeners, guests) => {
      const sight = await sightIn(readSight, reader, events, guests);
      const told = events.filter((event) => !isSight(event));
      const [first] = events;
      const arrivals = first ? sight.gained.map((userId) => arrival(userId, first)) : [];
      const people = (await usersPresenter.load(reader, [...told, ...arrivals], listeners, guests)) as never;
      return { realmId: reader.realmId, sight, people };
    },
    present: (event, loaded, queue) => {
      const payload = payloadOf(event);
      if (payload.op === 'sight') return sightChanges(event, loaded, queue);
      if (loaded.sight.sees(queue.userId, payload.userId, event)) {
        // By a new role somebody may see other addresses, of those whom they see at all.
        return usersPresenter.present(event, loaded.people, queue).filter((told) => isSeen(told, event, loaded, queue));
      }
      return payload.op === 'add' ? unknownArrived({ realmId: loaded.realmId, userId: payload.userId }, queue) : [];
    },
    variant: (event, { sight, people }, queue) => {
      const payload = payloadOf(event);
      if (payload.op === 'sight') return `sight of ${queue.userId} ${queue.clientGravatar}`;
      if (sight.sees(queue.userId, payload.userId, event)) return usersPresenter.variant?.(event, people, queue) ?? '';
      return `unknown ${queue.capabilities.user_list_incomplete}`;
    },
  });

const isSeen = (told: object, event: PlacedClientEvent, { sight }: Loaded, { userId }: QueueProfile): boolean =>
  sight.sees(userId, (told as { readonly person: { readonly user_id: UserId } }).person.user_id, event);

function sightIn(
  readSight: ReadSight,
  reader: FeedReader,
  events: readonly PlacedClientEvent[],
  guests: readonly UserId[],
): Promise<GuestsSight> {
  const changes = events.filter(isSight);
  const people = events.flatMap((event) => {
    const payload = payloadOf(event);
    return payload.op === 'sight' ? [] : [payload.userId];
  });
  const since = changes.map((event) => (payloadOf(event) as SightPayload).since);
  const from = Math.min(...events.map(({ position }) => before(position)), ...since) as Position;
  return readGuestsSight(readSight, reader, { people, changes, from }, guests);
}

function sightChanges(event: PlacedClientEvent, { sight, people }: Loaded, queue: QueueProfile) {
  const { gained, lost } = sight.changeOf(queue.userId, event);
  return [
    ...gained.flatMap((userId) => usersPresenter.present(arrival(userId, event), people, queue)),
    ...lost.map((user_id) => ({ type: 'realm_user', op: 'remove', person: { user_id, full_name: UNKNOWN_NAME } })),
  ];
}

/** Clients that know of lists with gaps are told nothing. */
function unknownArrived(user: Parameters<typeof unknownUser>[0], queue: QueueProfile) {
  if (queue.capabilities.user_list_incomplete) return [];
  const look = { clientGravatar: false, profileData: NO_PROFILE };
  const person = presentUser(unknownUser(user), viewerOf(queue, queue), look);
  return [{ type: 'realm_user', op: 'add', person }];
}
