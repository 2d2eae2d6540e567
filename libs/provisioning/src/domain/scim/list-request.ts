import { parseAttributePath } from './attribute-path';
import type { ConditionField, FilterCondition } from './filter/condition';
import { conditionOf } from './filter/condition';
import type { Filter } from './filter/filter';
import { parseFilter } from './filter/parse-filter';
import type { JsonObject, JsonValue } from './json';
import { reject } from './rejections';
import type { ResourceType } from './resource/attribute';
import { named, placeOf } from './resource/attribute';
import type { AttributeSelection } from './selection';
import { selectionOf } from './selection';

/** Most resources of one answer. Clients read it in `/ServiceProviderConfig`. */
export const MAX_COUNT = 1_000;
/** Most members in a page of groups, unless it has a single group. So many are some 2 MB of JSON. */
export const MAX_LISTED_MEMBERS = 20_000;
const USUAL_COUNT = 100;
const WHOLE = /^[+-]?\d{1,9}$/;

/** A request for a part of the resources (RFC 7644 section 3.4.2). */
export interface ListRequest {
  readonly filter: Filter | null;
  readonly sortBy: string | null;
  readonly isDescending: boolean;
  /** 1 is the first resource. */
  readonly startIndex: number;
  /** 0: only their number. */
  readonly count: number;
  readonly selection: AttributeSelection;
}

/**
 * Reads the parameters of a query, or the body of a search.
 *
 * @throws Rejected INVALID_FILTER, INVALID_VALUE, INVALID_PATH
 */
export function listRequestOf(wanted: JsonObject): ListRequest {
  const filter = textOf(wanted.filter, 'filter');
  const order = textOf(wanted.sortOrder, 'sortOrder')?.toLowerCase() ?? 'ascending';
  if (order !== 'ascending' && order !== 'descending')
    throw reject.value({ why: 'sortOrder is ascending or descending.' });
  return {
    filter: filter === null ? null : parseFilter(filter),
    sortBy: textOf(wanted.sortBy, 'sortBy'),
    isDescending: order === 'descending',
    startIndex: Math.max(1, wholeOf(wanted.startIndex, 'startIndex') ?? 1),
    count: Math.min(MAX_COUNT, Math.max(0, wholeOf(wanted.count, 'count') ?? USUAL_COUNT)),
    selection: selectionOf(wanted.attributes, wanted.excludedAttributes),
  };
}

/** What the filter of a request requires of a type of resources. @throws Rejected INVALID_FILTER */
export const conditionIn = ({ filter }: ListRequest, type: ResourceType): FilterCondition =>
  filter === null ? { kind: 'always' } : conditionOf(filter, type);

/**
 * What resources are sorted by. Null for the order of their ids. Of a multi-valued attribute there is one value.
 *
 * @throws Rejected INVALID_PATH
 */
export function sortFieldIn({ sortBy }: ListRequest, type: ResourceType): ConditionField | null {
  const place = sortBy === null ? undefined : placeOf(type, parseAttributePath(sortBy));
  if (!place) return null;
  const { attribute, part } = place;
  if (attribute.multiValued) return null;
  const sorted = part ?? (attribute.type === 'complex' ? named(attribute.parts, 'formatted') : attribute);
  if (!sorted) return null;
  const name = sorted === attribute ? attribute.name : `${attribute.name}.${sorted.name}`;
  return { name, type: sorted.type, caseExact: sorted.caseExact };
}

/** How many groups a page has of those that could be in it. @param sizes numbers of their members */
export function groupsInPage(sizes: readonly number[]): number {
  let members = 0;
  const beyond = sizes.findIndex((size) => (members += size) > MAX_LISTED_MEMBERS);
  return beyond < 0 ? sizes.length : Math.max(1, beyond);
}

/** An empty text is none. */
function textOf(value: JsonValue | undefined, name: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw reject.value({ why: `${name} is a text.` });
  return value;
}

function wholeOf(value: JsonValue | undefined, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !WHOLE.test(text)) throw reject.value({ why: `${name} is a whole number.` });
  return Number(text);
}
