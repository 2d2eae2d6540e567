import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { ReadSight, Sight } from '../read/account/user-access';
import { countUsers } from '../read/account/user-row';
import type { SightPayload } from './user-access-events';
import { MOST_TOLD, NOW } from './user-access-events';

/** Whom a guest came to see and whom they lost sight of, by one event. */
export interface SightChange {
  readonly gained: readonly UserId[];
  readonly lost: readonly UserId[];
}

const NO_CHANGE: SightChange = { gained: [], lost: [] };

/** Most pairs of a guest and an account that are compared for one batch; all of them are in memory at once. */
export const MOST_COMPARED = 250_000;

/**
 * What the guests under restriction see among those whom some events are about. Names and the like are read as they are
 * now, so whoever has gone out of sight since is not seen either: that is about to be told anyway.
 *
 * What is asked about a guest throws where it is too much to be told, and registering anew is cheaper.
 */
export interface GuestsSight {
  /** Whether the owner of a queue could see an account right after an event, and still does. */
  sees(viewer: UserId, person: UserId, event: Pick<PlacedClientEvent, 'position'>): boolean;
  changeOf(viewer: UserId, event: PlacedClientEvent): SightChange;
  /** Everybody whom one of them came to see; each once. */
  readonly gained: readonly UserId[];
}

/** What a batch of events is about. */
interface About {
  /** Accounts that are shown or whose change is told. */
  readonly people: readonly UserId[];
  readonly changes: readonly PlacedClientEvent[];
  /** Right before the first event. */
  readonly from: Position;
}

const sightOf = ({ payload }: PlacedClientEvent) => payload as unknown as SightPayload;

/** Everybody sees everybody. */
const OPEN: GuestsSight = { sees: () => true, changeOf: () => NO_CHANGE, gained: [] };

/** @param guests those under restriction among those who listen; nothing is read where there are none */
export async function readGuestsSight(
  readSight: ReadSight,
  reader: FeedReader,
  about: About,
  guests: readonly UserId[],
): Promise<GuestsSight> {
  if (guests.length === 0) return OPEN;
  const sights = await sightsOf(readSight, reader, about, guests);
  const changes = new Map(
    about.changes.map((event) => [
      event,
      new Map([...sights].map(([guest, sight]) => [guest, changeFor(guest, sight, event)])),
    ]),
  );
  const restricted = new Set(guests);
  const told = [...changes.values()].flatMap((byGuest) => [...byGuest.values()]).filter(isTold);
  return {
    sees(viewer, person, { position }) {
      if (!restricted.has(viewer)) return true;
      const sight = sights.get(viewer);
      if (!sight) throw new Error(`guest ${viewer} could not be compared with all whom they may see since`);
      return sight.sees(viewer, person, position) && sight.sees(viewer, person, NOW);
    },
    changeOf(viewer, event) {
      if (!restricted.has(viewer)) return NO_CHANGE;
      const change = changes.get(event)?.get(viewer);
      if (!change || !isTold(change)) throw new Error(`too many came into sight of guest ${viewer} or went out of it`);
      return change;
    },
    gained: [...new Set(told.flatMap(({ gained }) => gained))],
  };
}

const isTold = ({ gained, lost }: SightChange): boolean => gained.length + lost.length <= MOST_TOLD;

/** Whether a change may be one between this guest and anybody. */
const isOwn = ({ userIds }: SightPayload, guest: UserId): boolean => userIds === null || userIds.includes(guest);

/**
 * Only who was moved themselves is compared with everybody: many guests may share a channel that somebody else enters.
 * Those whom there is no room for are left out.
 */
async function sightsOf(
  readSight: ReadSight,
  reader: FeedReader,
  { people, changes, from }: About,
  guests: readonly UserId[],
): Promise<Map<UserId, Sight>> {
  const sights = new Map<UserId, Sight>();
  const read = async (viewers: readonly UserId[], among: readonly UserId[] | null) => {
    if (viewers.length === 0) return;
    const sight = await readSight(reader, { viewers, people: among, from, to: NOW });
    for (const viewer of viewers) sights.set(viewer, sight);
  };
  const moved = new Set(guests.filter((guest) => changes.some((event) => isOwn(sightOf(event), guest))));
  // One has room in any organization.
  const everybody = moved.size > 1 ? await countUsers(reader.client, reader.realmId) : 1;
  await read([...moved].slice(0, roomBeside(everybody)), null);
  const others = guests.filter((guest) => !moved.has(guest));
  const among = [...new Set([...people, ...changes.flatMap((event) => sightOf(event).userIds ?? [])])];
  await read(others.slice(0, roomBeside(among.length)), among);
  return sights;
}

/** How many guests can be compared with so many accounts. */
const roomBeside = (accounts: number): number => Math.max(1, Math.floor(MOST_COMPARED / Math.max(1, accounts)));

function changeFor(guest: UserId, sight: Sight, event: PlacedClientEvent): SightChange {
  const { since, userIds } = sightOf(event);
  const asked = isOwn(sightOf(event), guest) ? sight.people : (userIds ?? []);
  const [gained, lost]: [UserId[], UserId[]] = [[], []];
  for (const person of asked) {
    const [did, does] = [sight.sees(guest, person, since), sight.sees(guest, person, event.position)];
    if (does && !did && sight.sees(guest, person, NOW)) gained.push(person);
    if (did && !does) lost.push(person);
  }
  return { gained, lost };
}
