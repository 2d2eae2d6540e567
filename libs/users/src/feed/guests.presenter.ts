import type { FeedReader, PositionedClientEvent, Presenter, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ReadUserAccessHistory } from '../read/account/user-access';
import { presentUser } from '../read/account/present-user';
import { NO_PROFILE } from '../read/profile/profiles';
import { UNKNOWN_NAME, unknownUser } from '../read/account/unknown-user';
import { viewerOf } from '../read/account/viewer';
import type { GuestUserAccess } from './guest-user-access';
import { readGuestUserAccess } from './guest-user-access';
import type { UserPayload } from './payloads';
import type { UserAccessPayload } from './user-access-events';
import { before } from './user-access-events';
import { usersPresenter } from './users.presenter';

type Payload = UserPayload | UserAccessPayload;

interface Loaded {
  readonly realmId: RealmId;
  readonly access: GuestUserAccess;
  /** The facts that `usersPresenter` has read. */
  readonly people: never;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as Payload;
const isAccessChange = (event: PositionedClientEvent): boolean => payloadOf(event).op === 'sight';

/** A user becomes visible by an event. */
const added = (userId: UserId, event: PositionedClientEvent): PositionedClientEvent => ({
  ...event,
  payload: { op: 'add', userId, at: event.position, isKnown: true },
});

/**
 * `realm_user` for restricted guests (contract/realtime.md sections 2.1 and 6.3): no events of users whom they could
 * not see then or cannot see now, plus the users who became visible or hidden. All others receive everything.
 */
export const guestsPresenter = (readHistory: ReadUserAccessHistory): Presenter =>
  definePresenter<Loaded>({
    type: 'realm_user',
    load: async (reader, events, listeners, guests) => {
      const access = await readAccess(readHistory, reader, events, guests);
      const others = events.filter((event) => !isAccessChange(event));
      const [first] = events;
      const arrivals = first ? access.gained.map((userId) => added(userId, first)) : [];
      const people = (await usersPresenter.load(reader, [...others, ...arrivals], listeners, guests)) as never;
      return { realmId: reader.realmId, access, people };
    },
    present: (event, loaded, queue) => {
      const payload = payloadOf(event);
      if (payload.op === 'sight') return presentAccessChange(event, loaded, queue);
      if (loaded.access.sees(queue.userId, payload.userId, event)) {
        // With a new role a user may see other emails, of the users whom they can see.
        return usersPresenter
          .present(event, loaded.people, queue)
          .filter((object) => isSeen(object, event, loaded, queue));
      }
      return payload.op === 'add' ? presentUnknownUser({ realmId: loaded.realmId, userId: payload.userId }, queue) : [];
    },
    variant: (event, { access, people }, queue) => {
      const payload = payloadOf(event);
      if (payload.op === 'sight') return `sight of ${queue.userId} ${queue.clientGravatar}`;
      if (access.sees(queue.userId, payload.userId, event)) return usersPresenter.variant?.(event, people, queue) ?? '';
      return `unknown ${queue.capabilities.user_list_incomplete}`;
    },
  });

const isSeen = (object: object, event: PositionedClientEvent, { access }: Loaded, { userId }: QueueProfile): boolean =>
  access.sees(userId, (object as { readonly person: { readonly user_id: UserId } }).person.user_id, event);

function readAccess(
  readHistory: ReadUserAccessHistory,
  reader: FeedReader,
  events: readonly PositionedClientEvent[],
  guests: readonly UserId[],
): Promise<GuestUserAccess> {
  const changes = events.filter(isAccessChange);
  const people = events.flatMap((event) => {
    const payload = payloadOf(event);
    return payload.op === 'sight' ? [] : [payload.userId];
  });
  const since = changes.map((event) => (payloadOf(event) as UserAccessPayload).since);
  const from = Math.min(...events.map(({ position }) => before(position)), ...since) as Position;
  return readGuestUserAccess(readHistory, reader, { people, changes, from }, guests);
}

function presentAccessChange(event: PositionedClientEvent, { access, people }: Loaded, queue: QueueProfile) {
  const { gained, lost } = access.changeOf(queue.userId, event);
  return [
    ...gained.flatMap((userId) => usersPresenter.present(added(userId, event), people, queue)),
    ...lost.map((user_id) => ({ type: 'realm_user', op: 'remove', person: { user_id, full_name: UNKNOWN_NAME } })),
  ];
}

/** Clients that support incomplete lists receive nothing. */
function presentUnknownUser(user: Parameters<typeof unknownUser>[0], queue: QueueProfile) {
  if (queue.capabilities.user_list_incomplete) return [];
  const look = { clientGravatar: false, profileData: NO_PROFILE };
  const person = presentUser(unknownUser(user), viewerOf(queue, queue), look);
  return [{ type: 'realm_user', op: 'add', person }];
}
