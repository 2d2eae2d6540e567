import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { ReadSight, Sight } from '../read/acquaintances';
import type { SightPayload } from './sight';

/** Whom a guest came to see and whom they lost sight of, by one event. */
export interface SightChange {
  readonly gained: readonly UserId[];
  readonly lost: readonly UserId[];
}

const NO_CHANGE: SightChange = { gained: [], lost: [] };

/** What the guests under restriction see among those whom some events are about. */
export interface GuestsSight {
  /** Whether the owner of a queue could see an account right after an event. */
  sees(viewer: UserId, person: UserId, event: Pick<PlacedClientEvent, 'position'>): boolean;
  changeOf(viewer: UserId, event: PlacedClientEvent): SightChange;
  /** Everybody whom one of them came to see. */
  readonly gained: readonly UserId[];
}

/** What a batch of events is about. */
interface About {
  /** Accounts that are shown or whose change is told. */
  readonly people: readonly UserId[];
  readonly changes: readonly PlacedClientEvent[];
  /** From right before the first event to the last. */
  readonly from: Position;
  readonly to: Position;
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
  return {
    sees: (viewer, person, { position }) => sights.get(viewer)?.sees(viewer, person, position) ?? true,
    changeOf: (viewer, event) => changes.get(event)?.get(viewer) ?? NO_CHANGE,
    gained: [...changes.values()].flatMap((byGuest) => [...byGuest.values()].flatMap(({ gained }) => gained)),
  };
}

/** Whether a change may be one between this guest and anybody. */
const isOwn = ({ userIds }: SightPayload, guest: UserId): boolean => userIds === null || userIds.includes(guest);

/** Only who was moved themselves is compared with everybody: many guests may share a channel that somebody else enters. */
async function sightsOf(
  readSight: ReadSight,
  reader: FeedReader,
  { people, changes, from, to }: About,
  guests: readonly UserId[],
): Promise<Map<UserId, Sight>> {
  const sights = new Map<UserId, Sight>();
  const read = async (viewers: readonly UserId[], among: readonly UserId[] | null) => {
    if (viewers.length === 0) return;
    const sight = await readSight(reader, { viewers, people: among, from, to });
    for (const viewer of viewers) sights.set(viewer, sight);
  };
  const moved = new Set(guests.filter((guest) => changes.some((event) => isOwn(sightOf(event), guest))));
  await read([...moved], null);
  const others = guests.filter((guest) => !moved.has(guest));
  await read(others, [...new Set([...people, ...changes.flatMap((event) => sightOf(event).userIds ?? [])])]);
  return sights;
}

function changeFor(guest: UserId, sight: Sight, event: PlacedClientEvent): SightChange {
  const { since, userIds } = sightOf(event);
  const asked = isOwn(sightOf(event), guest) ? sight.people : (userIds ?? []);
  const [gained, lost]: [UserId[], UserId[]] = [[], []];
  for (const person of asked) {
    const [did, does] = [sight.sees(guest, person, since), sight.sees(guest, person, event.position)];
    if (does && !did) gained.push(person);
    if (did && !does) lost.push(person);
  }
  return { gained, lost };
}
