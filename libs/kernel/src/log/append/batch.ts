import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import type { Append, Appended, PreparedEvent } from './append';
import type { EventRegistry } from '../encoding/registry';
import { leafHash } from '../encoding/canonical';
import { changeIn, changeOf, guardKey } from './append';
import { Conflict } from '../errors';
import { recorded, resolveReferences } from '../encoding/registry';

export interface Head {
  position: Position;
  at: Instant;
}

/** The facts of the realms of a batch while their heads are locked, before the batch is planned. */
export interface Locked {
  readonly heads: ReadonlyMap<RealmId, Head>;
  /** Current version per `realm stream`. A stream that is missing has no event. */
  readonly versions: ReadonlyMap<string, number>;
  /** Guard uses that fail on the state before the batch, as `realm name:key`. */
  readonly failing: ReadonlySet<string>;
}

/** An event with its position in the log. */
export interface PositionedEvent {
  readonly prepared: PreparedEvent;
  readonly recorded: Recorded;
  readonly leafHash: Buffer;
}

export interface AcceptedAppend {
  readonly append: Append;
  readonly events: readonly PositionedEvent[];
}

export interface BatchPlan {
  readonly accepted: readonly AcceptedAppend[];
  /** Appends with a condition that no longer holds, with the reason. */
  readonly refused: ReadonlyMap<Append, Conflict>;
  /** Appends that must wait for the next batch, because they guard what this one changes. */
  readonly postponed: readonly Append[];
  /** Appends of realms whose head is not locked. */
  readonly passedOver: readonly Append[];
  readonly heads: ReadonlyMap<RealmId, Head>;
  /** Versions after the batch, of the streams that it depends on and of those that it wrote to. */
  readonly versions: ReadonlyMap<string, number>;
}

export const inRealm = (realmId: RealmId, name: string): string => `${realmId} ${name}`;
export const realmOf = (key: string): RealmId => Number.parseInt(key, 10) as RealmId;

/** A stream whose version decides whether an append holds or where its events go. */
export interface StreamDependency {
  readonly realmId: RealmId;
  readonly stream: string;
  /** The version that the first append to name the stream expects. */
  readonly claimed: number | 'any';
}

/**
 * The streams that a batch depends on, by `realm stream`, without those that are named by a position, which are new.
 */
export function streamDependencies(batch: readonly Append[]): Map<string, StreamDependency> {
  const streams = new Map<string, StreamDependency>();
  const note = (realmId: RealmId, stream: string, claimed: StreamDependency['claimed']) => {
    const key = inRealm(realmId, stream);
    if (!streams.has(key)) streams.set(key, { realmId, stream, claimed });
  };
  for (const { realmId, reads, events } of batch) {
    for (const [stream, version] of reads) note(realmId, stream, version);
    for (const { target } of events) if ('stream' in target) note(realmId, target.stream, target.at);
  }
  return streams;
}

/**
 * Decides, in queue order and without the database, which appends of a batch hold and which positions their events get.
 * Versions advance inside the batch, so several appends to one hot stream fit in it.
 */
export function planBatch(registry: EventRegistry, batch: readonly Append[], locked: Locked): BatchPlan {
  const heads = new Map([...locked.heads].map(([realm, head]) => [realm, { ...head }]));
  const versions = new Map(locked.versions);
  const changed = new Set<string>();
  const accepted: AcceptedAppend[] = [];
  const refused = new Map<Append, Conflict>();
  const postponed: Append[] = [];
  const passedOver: Append[] = [];

  for (const append of batch) {
    const head = heads.get(append.realmId);
    if (!head) {
      passedOver.push(append);
      continue;
    }
    if (append.guards.some((use) => changed.has(changeIn(append.realmId, changeOf(use))))) {
      postponed.push(append);
      continue;
    }
    const conflict = conflictOf(append, versions, locked.failing);
    if (conflict) {
      refused.set(append, conflict);
      continue;
    }
    accepted.push({ append, events: positioned(registry, append, head, versions) });
    for (const change of append.changes) changed.add(changeIn(append.realmId, change));
  }
  return { accepted, refused, postponed, passedOver, heads, versions };
}

function conflictOf(
  append: Append,
  versions: ReadonlyMap<string, number>,
  failing: ReadonlySet<string>,
): Conflict | undefined {
  const current = (stream: string) => versions.get(inRealm(append.realmId, stream)) ?? 0;
  for (const [stream, version] of append.reads) {
    if (current(stream) !== version) return new Conflict(`${stream} moved on from version ${version}`, stream);
  }
  const seen = new Set<string>();
  for (const { target } of append.events) {
    if (!('stream' in target) || target.at === 'any' || seen.has(target.stream)) continue;
    seen.add(target.stream);
    if (current(target.stream) !== target.at) {
      return new Conflict(`${target.stream} is not at version ${target.at}`, target.stream);
    }
  }
  const guard = append.guards.find((use) => failing.has(inRealm(append.realmId, guardKey(use))));
  return guard && new Conflict(`guard ${guard.guard.name} failed`);
}

function positioned(
  registry: EventRegistry,
  append: Append,
  head: Head,
  versions: Map<string, number>,
): PositionedEvent[] {
  head.at = Math.max(head.at, append.at) as Instant;
  return append.events.map((prepared) => {
    head.position = (head.position + 1) as Position;
    const { target, fact } = prepared;
    const stream = 'stream' in target ? target.stream : `${target.namedByPosition}-${head.position}`;
    const key = inRealm(append.realmId, stream);
    const version = (versions.get(key) ?? 0) + 1;
    versions.set(key, version);
    const event = recorded(
      {
        realmId: append.realmId,
        position: head.position,
        stream,
        version,
        type: fact.type,
        actorId: append.actorId,
        at: head.at,
        commandId: append.commandId,
        correlation: append.correlation,
        causation: append.causation,
        client: append.client,
      },
      resolveReferences(registry.definition(fact.type), fact.data, head.position),
      fact.sealed,
    );
    return { prepared, recorded: event, leafHash: leafHash(event, prepared) };
  });
}

/** The result for the caller of an append. */
export function appended(append: AcceptedAppend): Appended {
  const events = append.events.map(({ recorded }) => recorded);
  return { events, position: events.at(-1)?.position ?? (0 as Position) };
}

/** The events of a batch by realm, in order. */
export function eventsByRealm({ accepted }: BatchPlan): Map<RealmId, Recorded[]> {
  const byRealm = new Map<RealmId, Recorded[]>();
  for (const { append, events } of accepted) {
    const list = byRealm.get(append.realmId) ?? [];
    for (const { recorded } of events) list.push(recorded);
    byRealm.set(append.realmId, list);
  }
  return byRealm;
}
