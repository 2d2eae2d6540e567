import type { EventLog } from '@annals/kernel';
import type { Position, RealmId, Recorded } from '@annals/kernel/domain';

/** How many events before and after a position are read at first. Most appends are shorter. */
const REACH = 8;

/**
 * The events of the appends that these positions are in, in order. Positions that do not exist are left out.
 *
 * @param positions ascending
 */
export async function readWholeAppends(
  log: Pick<EventLog, 'storedAt' | 'registry'>,
  realmId: RealmId,
  positions: readonly Position[],
): Promise<Recorded[]> {
  for (let reach = REACH; ; reach *= REACH) {
    const around = new Set(positions.flatMap((position) => neighbours(position, reach)));
    const stored = await log.storedAt(realmId, [...around]);
    const read = new Map(stored.map((event) => [event.position, log.registry.decodeAny(event)]));
    const found = positions.map((position) => appendAt(read, position, reach));
    if (found.some((append) => append === null)) continue;
    return [...new Set(found.flatMap((append) => append ?? []))].sort((one, other) => one.position - other.position);
  }
}

const neighbours = (position: Position, reach: number): number[] =>
  Array.from({ length: 2 * reach + 1 }, (_, n) => position - reach + n).filter((one) => one > 0);

/** Null if the append is longer than what was read. */
function appendAt(read: ReadonlyMap<number, Recorded>, position: Position, reach: number): Recorded[] | null {
  const event = read.get(position);
  if (!event) return [];
  const isPart = (at: number) => read.get(at)?.commandId === event.commandId;
  let [first, last] = [position as number, position as number];
  while (isPart(first - 1)) first -= 1;
  while (isPart(last + 1)) last += 1;
  if (position - first === reach || last - position === reach) return null;
  return Array.from({ length: last - first + 1 }, (_, n) => read.get(first + n) ?? event);
}
