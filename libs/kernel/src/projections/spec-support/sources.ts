import type { ClientBase } from 'pg';
import type { Recorded } from '../../domain/index';
import type { EventSource } from '../running/event-source';

type ReadPage = () => Promise<Recorded[]>;

/** The same log, with a function between it and the readers of its pages. */
export function altered(
  source: EventSource,
  page: (read: ReadPage, after: number, limit: number) => Promise<Recorded[]>,
): EventSource {
  return {
    heads: (realms, client) => source.heads(realms, client),
    lockHeads: (client) => source.lockHeads(client),
    ensureContains: (event) => source.ensureContains(event),
    page: (realmId, after, limit, client) => page(() => source.page(realmId, after, limit, client), after, limit),
  };
}

/** Simulates a process that is killed: nothing can be read after some pages. */
export function dyingAfter(source: EventSource, pages: number): EventSource {
  let left = pages;
  return altered(source, (read) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : read();
  });
}

/** Counts the events that are read. */
export function counting(source: EventSource): { readonly source: EventSource; readonly events: () => number } {
  let count = 0;
  const counted = altered(source, async (read) => {
    const events = await read();
    count += events.length;
    return events;
  });
  return { source: counted, events: () => count };
}

/**
 * Counts the statements of each transaction that locks the heads, from there to its end.
 *
 * @param before runs before heads are locked, with the number of earlier locks
 */
export function countingUnderLock(
  source: EventSource,
  before: (times: number) => Promise<void>,
): { readonly source: EventSource; readonly statements: readonly number[] } {
  const statements: number[] = [];
  const lockHeads = async (client: ClientBase) => {
    await before(statements.length);
    const heads = await source.lockHeads(client);
    const n = statements.push(0) - 1;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const counted = (...args: unknown[]) => {
      statements[n] = (statements[n] ?? 0) + 1;
      if (args[0] === 'COMMIT' || args[0] === 'ROLLBACK') Object.assign(client, { query });
      return query(...args);
    };
    Object.assign(client, { query: counted });
    return heads;
  };
  return { source: { ...altered(source, (read) => read()), lockHeads }, statements };
}
