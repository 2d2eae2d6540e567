import type { Fact, Instant, Position, RealmId, Recorded, UserId } from '../../domain/index';
import type { SealedEnvelope } from '../encoding/registry';
import type { EventRegistry } from '../encoding/registry';
import type { CanonicalWriter } from '../encoding/canonical-writer';
import { commitmentOf, newSalt } from '../encoding/canonical';
import { InvalidEvent } from '../encoding/registry';

/** Largest event in bytes of canonical text, as UTF-8. */
const MAX_EVENT_BYTES = 1_000_000;

/**
 * The stream of an event. `at`: the stream must have this version now (0: it must be new). `any`: after the last event
 * of the stream. `named-by-position`: a new stream, whose name is the prefix with the event's own position.
 */
export type AppendTarget =
  { readonly stream: string; readonly at: number | 'any' } | { readonly namedByPosition: string };

/** A rule about a set, checked under the realm's lock: one query for all keys, which returns those that fail. */
export interface Guard {
  readonly name: string;
  /**
   * SQL with `$1 int4[]` realm ids and `$2 text[]` keys, pairwise. Returns the column `ord`, the 1-based indexes that
   * fail.
   */
  readonly failing: string;
  /**
   * The part of a key that other appends declare as changed, if a key says more than they know. Left out if it is the
   * whole key.
   */
  readonly concerns?: (key: string) => string;
  /**
   * The rule is about all organizations of the server. The appends that use it follow each other, whichever organization
   * they are of, so that each sees what the one before has committed.
   */
  readonly isOfServer?: boolean;
}

export interface GuardUse {
  readonly guard: Guard;
  readonly key: string;
}

/** A change of the secrets beside the log, written with the event that names the secret by id. */
export type SecretChange = SecretPut | { readonly drop: string };

interface SecretPut {
  readonly put: string;
  readonly kind: string;
  readonly value: Buffer;
  /** Nobody may ever use it. Otherwise it counts as used now. */
  readonly isUnused?: boolean;
}

/** One event with everything that is known before its position: checked, serialised once, with its commitment. */
export interface PreparedEvent {
  readonly target: AppendTarget;
  readonly fact: Fact;
  readonly v: number;
  readonly dataText: string;
  readonly sealedText: string | null;
  readonly salt: Buffer | null;
  readonly commitment: Buffer | null;
}

/** One atomic append of one realm: the events, their conditions, and what they change. */
export interface Append {
  readonly realmId: RealmId;
  readonly actorId: UserId | null;
  readonly commandId: string;
  readonly correlation: string;
  readonly causation: string | null;
  readonly client: string;
  readonly at: Instant;
  readonly events: readonly PreparedEvent[];
  /** Streams that were only read, and the version that they must still have. */
  readonly reads: ReadonlyMap<string, number>;
  readonly guards: readonly GuardUse[];
  /**
   * Guard keys (`changeNamed`) that this append changes. A later command of the same batch that guards one waits for the
   * next batch (`changeOf`).
   */
  readonly changes: readonly string[];
  readonly secrets: readonly SecretChange[];
  /** Approximate number of rows that this changes. A large append gets a batch of its own. */
  readonly weight: number;
  /** Set by the first append of a new organization, whose head row does not exist yet. */
  readonly opensRealm: boolean;
}

export const guardKey = (use: GuardUse): string => `${use.guard.name}:${use.key}`;

/** The change that a use of a guard waits for, in the form in which appends declare it. */
export const changeOf = ({ guard, key }: GuardUse): string => changeNamed(guard, guard.concerns?.(key) ?? key);

/** What an append declares that may affect a guard with this key. */
export const changeNamed = ({ name, isOfServer }: Guard, key: string | number): string =>
  `${isOfServer ? OF_SERVER : ''}${name}:${key}`;

/** Begins the changes that concern all organizations. */
const OF_SERVER = 'server ';

/** A declared change of an organization. Those of the server are the same for all of them. */
export const changeIn = (realmId: RealmId, change: string): string =>
  change.startsWith(OF_SERVER) ? change : `${realmId} ${change}`;

/** The result of an append: its events as stored. */
export interface Appended {
  readonly events: readonly Recorded[];
  readonly position: Position;
}

/** What is sealed of an event. Null if nothing is. */
function envelopeOf(words: Fact['sealed'], address: string | null): SealedEnvelope | null {
  if (words === null) return address === null ? null : { address };
  return address === null ? { words } : { words, address };
}

/**
 * Does everything about an event that can fail, before anything is sent to PostgreSQL.
 *
 * @throws InvalidEvent when the fact does not fit its declared shape or is too large
 */
export function prepareEvent(
  registry: EventRegistry,
  target: AppendTarget,
  fact: Fact,
  address: string | null,
): PreparedEvent {
  const definition = registry.check(fact.type, fact.data, fact.sealed);
  const writers = registry.writersOf(fact.type);
  const dataText = textOf(fact.type, writers.data, fact.data);
  const envelope = envelopeOf(fact.sealed, address);
  const sealedText = envelope === null ? null : textOf(fact.type, writers.sealed, envelope);
  if (bytesOf({ dataText, sealedText }) > MAX_EVENT_BYTES) {
    throw new InvalidEvent(`${fact.type}: larger than ${MAX_EVENT_BYTES} bytes`);
  }
  const salt = sealedText === null ? null : newSalt();
  const commitment = salt && sealedText !== null ? commitmentOf(salt, sealedText) : null;
  return { target, fact, v: definition.v, dataText, sealedText, salt, commitment };
}

/** The size of an event in the log, in bytes of its texts as UTF-8. */
export const bytesOf = ({ dataText, sealedText }: Pick<PreparedEvent, 'dataText' | 'sealedText'>): number =>
  Buffer.byteLength(dataText) + (sealedText === null ? 0 : Buffer.byteLength(sealedText));

function textOf(type: string, write: CanonicalWriter, value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    throw new InvalidEvent(`${type}: ${(error as Error).message}`);
  }
}
