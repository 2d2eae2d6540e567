import type { Position, Recorded, Subject, UserId } from '../../domain/index';
import type { EventRegistry } from '../encoding/registry';
import { actorKeys, clientKeys, typeKeys } from '../subjects/block-keys';

/** The conditions of a trail. An event of the trail meets all of them. */
export interface TrailFilter {
  readonly actorId?: UserId;
  readonly subject?: Subject;
  /** Full names of event types. */
  readonly types?: readonly string[];
  /** The client program that sent the request. */
  readonly client?: string;
  /** A UUID: the request of the event. */
  readonly requestId?: string;
  /** What this account did, or what was done to it: the user is a subject. */
  readonly account?: UserId;
}

/** Rows of the index of subjects of which at least one is in a block with an event. */
export interface BlockSource {
  readonly keys: readonly Subject[];
  /** A position at which there may be an event without such a row. */
  readonly own: Position | null;
}

/** The blocks with an event that meets the filter are in all of these. None: every block may have one. */
export function blockSourcesOf({ actorId, subject, types, client, account }: TrailFilter): BlockSource[] {
  const own = null;
  return [
    ...(subject === undefined ? [] : [{ keys: [subject], own: ownPosition(subject) }]),
    ...(actorId === undefined ? [] : [{ keys: actorKeys(actorId), own }]),
    ...(account === undefined ? [] : [{ keys: actorKeys(account), own }]),
    ...(client === undefined ? [] : [{ keys: clientKeys(client), own }]),
    ...(types === undefined ? [] : [{ keys: typeKeys(types), own }]),
  ];
}

/** A thing that begins with its own event has that position as its id, and no row for it. */
const ownPosition = ([, id]: Subject): Position | null => (id > 0 ? (id as Position) : null);

/** A condition in SQL over the log `e`, with its values. */
export interface SqlCondition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The filter as a condition. Of subjects it says only that the id is in the data, where events about such things have it, so
 * `meets` has to be asked as well.
 *
 * @param first number of its first parameter
 */
export function conditionOf(filter: TrailFilter, registry: EventRegistry, first: number): SqlCondition {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${first - 1 + values.push(one)}`;
  const { actorId, subject, types, client, requestId, account } = filter;
  const about = ([kind, id]: Subject) => {
    if (id === 0) return `e.type = ANY(${value(registry.typesAbout(kind))}::text[])`;
    const texts = registry.textsAbout([kind, id]).map((text) => `strpos(e.data::text, ${value(text)}) > 0`);
    return `(e.position = ${value(id)}::int8 OR e.type = ANY(${value(registry.typesWithReferences)}::text[])
      OR e.type = ANY(${value(registry.typesAbout(kind))}::text[]) AND (${texts.join(' OR ') || 'false'}))`;
  };
  const conditions = [
    actorId === undefined ? [] : `e.actor_id = ${value(actorId)}::int8`,
    types === undefined ? [] : `e.type = ANY(${value(types)}::text[])`,
    client === undefined ? [] : `e.client = ${value(client)}`,
    requestId === undefined ? [] : `e.correlation = ${value(requestId)}::uuid`,
    account === undefined ? [] : `(e.actor_id = ${value(account)}::int8 OR ${about(['user', account])})`,
    subject === undefined ? [] : about(subject),
  ];
  return { text: conditions.flat().join(' AND ') || 'true', values };
}

/** Whether an event that meets the condition in SQL also is about the thing of the filter. */
export function meets({ subject, account }: TrailFilter, event: Recorded, subjects: readonly Subject[]): boolean {
  const isAbout = ([kind, id]: Subject) => subjects.some((one) => one[0] === kind && one[1] === id);
  if (subject !== undefined && !isAbout(subject)) return false;
  return account === undefined || event.actorId === account || isAbout(['user', account]);
}
