import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { ReadUserAccessHistory, UserAccessHistory } from '../read/account/user-access';
import { countUsers } from '../read/account/user-row';
import type { UserAccessPayload } from './user-access-events';
import { MAX_REPORTED, NOW } from './user-access-events';

/** The users who became visible or hidden for a guest by one event. */
export interface UserAccessChange {
  readonly gained: readonly UserId[];
  readonly lost: readonly UserId[];
}

const NO_CHANGE: UserAccessChange = { gained: [], lost: [] };

/** Maximum pairs of a guest and an account that are compared for one batch; all of them are in memory at once. */
export const MAX_COMPARED = 250_000;

/**
 * Which users the restricted guests can see, for a batch of events. Names are read as they are now, so a user who was
 * hidden since is treated as hidden, and a later event reports that.
 *
 * The methods throw for a guest with too many changes: a new registration is cheaper.
 */
export interface GuestUserAccess {
  /** Whether the owner of a queue could see an account right after an event, and still can. */
  sees(viewer: UserId, person: UserId, event: Pick<PositionedClientEvent, 'position'>): boolean;
  changeOf(viewer: UserId, event: PositionedClientEvent): UserAccessChange;
  /** All users who became visible to one of them, each once. */
  readonly gained: readonly UserId[];
}

/** The subjects of a batch of events. */
interface AccessQuestion {
  /** Accounts that the events show or change. */
  readonly people: readonly UserId[];
  readonly changes: readonly PositionedClientEvent[];
  /** Right before the first event. */
  readonly from: Position;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as UserAccessPayload;

/** All users see all users. */
const OPEN: GuestUserAccess = { sees: () => true, changeOf: () => NO_CHANGE, gained: [] };

/** @param guests the restricted guests among the listeners. Nothing is read without any */
export async function readGuestUserAccess(
  readHistory: ReadUserAccessHistory,
  reader: FeedReader,
  about: AccessQuestion,
  guests: readonly UserId[],
): Promise<GuestUserAccess> {
  if (guests.length === 0) return OPEN;
  const histories = await readHistories(readHistory, reader, about, guests);
  const changes = new Map(
    about.changes.map((event) => [
      event,
      new Map([...histories].map(([guest, history]) => [guest, changeFor(guest, history, event)])),
    ]),
  );
  const restricted = new Set(guests);
  const reportable = [...changes.values()].flatMap((byGuest) => [...byGuest.values()]).filter(isReportable);
  return {
    sees(viewer, person, { position }) {
      if (!restricted.has(viewer)) return true;
      const history = histories.get(viewer);
      if (!history) throw new Error(`guest ${viewer} could not be compared with all whom they may see since`);
      return history.canAccess(viewer, person, position) && history.canAccess(viewer, person, NOW);
    },
    changeOf(viewer, event) {
      if (!restricted.has(viewer)) return NO_CHANGE;
      const change = changes.get(event)?.get(viewer);
      if (!change || !isReportable(change))
        throw new Error(`guest ${viewer} gained or lost access to too many users for one event`);
      return change;
    },
    gained: [...new Set(reportable.flatMap(({ gained }) => gained))],
  };
}

const isReportable = ({ gained, lost }: UserAccessChange): boolean => gained.length + lost.length <= MAX_REPORTED;

/** Whether a change may affect this guest and any other user. */
const isOwn = ({ userIds }: UserAccessPayload, guest: UserId): boolean => userIds === null || userIds.includes(guest);

/**
 * Only guests who are affected themselves are compared with all users: many guests may share a channel that another
 * user joins. Guests beyond the limit are left out.
 */
async function readHistories(
  readHistory: ReadUserAccessHistory,
  reader: FeedReader,
  { people, changes, from }: AccessQuestion,
  guests: readonly UserId[],
): Promise<Map<UserId, UserAccessHistory>> {
  const histories = new Map<UserId, UserAccessHistory>();
  const read = async (viewers: readonly UserId[], among: readonly UserId[] | null) => {
    if (viewers.length === 0) return;
    const history = await readHistory(reader, { viewers, people: among, from, to: NOW });
    for (const viewer of viewers) histories.set(viewer, history);
  };
  const moved = new Set(guests.filter((guest) => changes.some((event) => isOwn(payloadOf(event), guest))));
  // A single guest is always compared.
  const everybody = moved.size > 1 ? await countUsers(reader.client, reader.realmId) : 1;
  await read([...moved].slice(0, guestsComparableWith(everybody)), null);
  const others = guests.filter((guest) => !moved.has(guest));
  const among = [...new Set([...people, ...changes.flatMap((event) => payloadOf(event).userIds ?? [])])];
  await read(others.slice(0, guestsComparableWith(among.length)), among);
  return histories;
}

/** How many guests can be compared with so many accounts. */
const guestsComparableWith = (accounts: number): number =>
  Math.max(1, Math.floor(MAX_COMPARED / Math.max(1, accounts)));

function changeFor(guest: UserId, history: UserAccessHistory, event: PositionedClientEvent): UserAccessChange {
  const { since, userIds } = payloadOf(event);
  const asked = isOwn(payloadOf(event), guest) ? history.people : (userIds ?? []);
  const [gained, lost]: [UserId[], UserId[]] = [[], []];
  for (const person of asked) {
    const [did, does] = [history.canAccess(guest, person, since), history.canAccess(guest, person, event.position)];
    if (does && !did && history.canAccess(guest, person, NOW)) gained.push(person);
    if (did && !does) lost.push(person);
  }
  return { gained, lost };
}
