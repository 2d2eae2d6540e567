import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { ReadSight, Sight } from '../read/acquaintances';
import { OPEN_SIGHT } from '../read/acquaintances';
import type { SightPayload } from './sight';
import { before } from './sight';

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

interface About {
  /** Accounts that other events are about. */
  readonly people: readonly UserId[];
  readonly changes: readonly (PlacedClientEvent & { readonly sight: SightPayload })[];
}

/** Everybody else sees everybody. */
const OPEN: GuestsSight = { sees: () => true, changeOf: () => NO_CHANGE, gained: [] };

/**
 * Reads it for a batch of events; nothing where no such guest listens. Only those of whom a change may be true of everybody
 * are compared with everybody.
 */
export async function readGuestsSight(
  readSight: ReadSight,
  reader: FeedReader,
  { people, changes }: About,
  events: readonly PlacedClientEvent[],
  guests: readonly UserId[],
): Promise<GuestsSight> {
  const last = events.at(-1)?.position;
  if (guests.length === 0 || last === undefined) return OPEN;
  const isMoved = ({ userIds }: SightPayload, guest: UserId) => userIds === null || userIds.includes(guest);
  const moved = guests.filter((guest) => changes.some(({ sight }) => isMoved(sight, guest)));
  const others = guests.filter((guest) => !moved.includes(guest));
  const from = Math.min(...events.map(({ position }) => before(position)), ...changes.map(({ sight }) => sight.since));
  const span = { from: from as Position, to: last };
  const asked = [...new Set([...people, ...changes.flatMap(({ sight }) => sight.userIds ?? [])])];
  const wide = moved.length > 0 ? await readSight(reader, { ...span, viewers: moved, people: null }) : OPEN_SIGHT;
  const narrow = others.length > 0 ? await readSight(reader, { ...span, viewers: others, people: asked }) : OPEN_SIGHT;
  const restricted = new Map<UserId, Sight>();
  for (const guest of moved) restricted.set(guest, wide);
  for (const guest of others) restricted.set(guest, narrow);
  const found = new Map<PlacedClientEvent, ReadonlyMap<UserId, SightChange>>();
  for (const change of changes) {
    const { sight, position } = change;
    const compare = (guest: UserId): [UserId, SightChange] => {
      const seen = restricted.get(guest) ?? OPEN_SIGHT;
      const candidates = isMoved(sight, guest) ? seen.people : (sight.userIds ?? []);
      return [guest, difference(seen, guest, candidates, sight.since, position)];
    };
    found.set(change, new Map(guests.map(compare)));
  }
  return {};
}
