import { LRUCache } from 'lru-cache';
import type { Recorded, Subject } from '../../domain/index';

/**
 * Kinds of rows beside the subjects of events: who acted, the type of the event, and the client program. No event
 * declares such a kind.
 */
const ACTOR = '@actor';
const TYPE = '@type';
const CLIENT = '@client';

/** The rows that find the events of an actor: also those of the user as a subject, see `metadataKeys`. */
export const actorKeys = (userId: number): Subject[] => [
  [ACTOR, userId],
  ['user', userId],
];
export const typeKeys = (types: readonly string[]): Subject[] => types.map((type) => [TYPE, nameHash(type)]);
export const clientKeys = (client: string): Subject[] => [[CLIENT, nameHash(client)]];

/**
 * The rows of an event beside those of its subjects. The actor of most events is also a subject of them, and then needs
 * no row of its own.
 */
export function metadataKeys(
  { actorId, type, client }: Pick<Recorded, 'actorId' | 'type' | 'client'>,
  subjects: readonly Subject[],
): Subject[] {
  const isSubject = subjects.some(([kind, id]) => kind === 'user' && id === actorId);
  return [
    [TYPE, nameHash(type)],
    [CLIENT, nameHash(client)],
    ...(actorId === null || isSubject ? [] : [[ACTOR, actorId] as const]),
  ];
}

/** Hashes of names of types and programs, of which a server has few. A user may invent programs. */
const hashes = new LRUCache<string, number>({ max: 1_000 });

/** FNV-1a, 32 bits. Two names with one hash share their blocks, which costs time only: readers compare the names. */
export function nameHash(name: string): number {
  const known = hashes.get(name);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let n = 0; n < name.length; n++) hash = Math.imul(hash ^ name.charCodeAt(n), 0x01000193);
  hashes.set(name, hash >>> 0);
  return hash >>> 0;
}

/** Positions that share a row with the ids of their requests. */
export const REQUEST_BLOCK = 128;
/** Width of the Bloom filter in such a row. */
export const REQUEST_BITS = 1_024;

/** The part of the log with a position, numbered from 0. */
export const requestBlockOf = (position: number): number => Math.floor((position - 1) / REQUEST_BLOCK);

/**
 * The bits of a request id (a UUID) in the Bloom filter of its block: five, so that of 100 full blocks without the id
 * about two seem to have it.
 */
export const requestBits = (correlation: string): number[] => [
  ...new Set(PARTS.map((from) => Number.parseInt(correlation.slice(from, from + 3), 16) % REQUEST_BITS)),
];

/** Offsets of random digits in the text of a UUID. */
const PARTS = [0, 4, 20, 24, 30];
