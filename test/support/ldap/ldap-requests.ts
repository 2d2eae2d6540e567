import type { BerReader } from 'ldapts';
import { ControlParser, PagedResultsControl, ProtocolOperation } from 'ldapts';

/** A condition of a search. */
export type FilterNode =
  | { readonly kind: 'and' | 'or' | 'not'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'equal'; readonly attribute: string; readonly value: string }
  | { readonly kind: 'present'; readonly attribute: string };

export interface SearchMessage {
  readonly base: string;
  readonly isOfSubtree: boolean;
  readonly sizeLimit: number;
  readonly filter: FilterNode;
  readonly attributes: readonly string[];
  /** Null for a search without pages. */
  readonly page: { readonly size: number; readonly cookie: string } | null;
}

const SETS: Readonly<Record<number, 'and' | 'or' | 'not'>> = { 0xa0: 'and', 0xa1: 'or', 0xa2: 'not' };
const EQUAL = 0xa3;
const PRESENT = 0x87;
const WHOLE_SUBTREE = 2;

/** A search request after its message id and operation. */
export function readSearch(reader: BerReader): SearchMessage {
  const base = reader.readString() ?? '';
  const isOfSubtree = reader.readEnumeration() === WHOLE_SUBTREE;
  reader.readEnumeration();
  const sizeLimit = reader.readInt() ?? 0;
  reader.readInt();
  reader.readBoolean();
  const filter = readFilter(reader);
  const attributes = readAll(reader, () => reader.readString() ?? '');
  const isPaged = reader.peek() === ProtocolOperation.LDAP_CONTROLS;
  const controls = isPaged ? readAll(reader, () => ControlParser.parse(reader, [])) : [];
  const paged = controls.find((control) => control instanceof PagedResultsControl)?.value;
  const page = paged ? { size: paged.size, cookie: paged.cookie?.toString() ?? '' } : null;
  return { base, isOfSubtree, sizeLimit, filter, attributes, page };
}

/** The condition as text, to see what was asked. */
export function filterText(filter: FilterNode): string {
  if (filter.kind === 'present') return `(${filter.attribute}=*)`;
  if (filter.kind === 'equal') return `(${filter.attribute}=${JSON.stringify(filter.value)})`;
  return `(${filter.kind} ${filter.parts.map(filterText).join('')})`;
}

function readFilter(reader: BerReader): FilterNode {
  const tag = reader.peek() ?? 0;
  const set = SETS[tag];
  if (set) return { kind: set, parts: readAll(reader, () => readFilter(reader)) };
  if (tag === PRESENT) return { kind: 'present', attribute: reader.readString(PRESENT) ?? '' };
  if (tag !== EQUAL) throw new Error(`the fake directory does not know filter 0x${tag.toString(16)}`);
  reader.readSequence();
  return { kind: 'equal', attribute: reader.readString() ?? '', value: reader.readString() ?? '' };
}

function readAll<T>(reader: BerReader, read: () => T): T[] {
  reader.readSequence();
  const end = reader.offset + reader.length;
  const all: T[] = [];
  while (reader.offset < end) all.push(read());
  return all;
}
