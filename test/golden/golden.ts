import type { EventRegistry, StoredEvent } from '@annals/kernel';
import type { Instant, Position, RealmId } from '@annals/kernel/domain';

/** Folder of the golden files. */
export const GOLDEN = __dirname;

/** An event as it was once stored in some version, and as every later version must read it. */
export interface Golden {
  readonly stored: Content;
  readonly current: Content;
}

export interface Content {
  readonly data: unknown;
  /** Texts that people wrote, and facts about people. Null if the event has none. */
  readonly sealed: unknown;
}

export const goldenName = (type: string, v: number): string => `${type}.v${v}.json`;

/** Reads the stored form as today's code does, as the event at position 10: `+1` in it becomes 11. */
export function decodeGolden(
  registry: EventRegistry,
  type: string,
  v: number,
  { stored }: Pick<Golden, 'stored'>,
): Content {
  const row: StoredEvent = {
    realmId: 1 as RealmId,
    position: 10 as Position,
    stream: 'golden-1',
    version: 1,
    type,
    v,
    at: 0 as Instant,
    actorId: null,
    commandId: '',
    correlation: '',
    causation: null,
    client: '',
    dataText: JSON.stringify(stored.data),
    sealedText: stored.sealed === null ? null : JSON.stringify({ words: stored.sealed }),
    salt: null,
    commitment: null,
    leafHash: Buffer.alloc(0),
  };
  const { data, sealed } = registry.decode(row);
  return { data, sealed };
}
