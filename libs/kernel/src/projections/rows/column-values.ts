import { isBits } from '../definition/bits';
import type { ColumnType, SearchableText, Value } from '../definition/define';
import type { Element, ElementType } from './binary-arrays';

/**
 * SQL for the value of a column, from the element that stands for it. Arrays of arrays do not unnest into arrays, so such values
 * are literals. PostgreSQL finds the words of a text.
 */
export function sqlOf(element: string, type: ColumnType | undefined): string {
  if (type === 'tsvector') {
    const configuration = `split_part(${element}, ' ', 1)::regconfig`;
    return `to_tsvector(${configuration}, substr(${element}, strpos(${element}, ' ') + 1))`;
  }
  return type === 'int8[]' || type === 'text[]' ? `${element}::${type}` : element;
}

/** The type of the array elements for values of a column. */
export function elementType(type: ColumnType): ElementType {
  if (type === 'int8[]' || type === 'text[]' || type === 'tsvector') return 'text';
  return isBits(type) ? 'varbit' : type;
}

/** A value of a column as an element of such an array. */
export function encoded(type: ColumnType, value: Value): Element {
  if (value === null) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  if (type === 'int8[]') return `{${(value as readonly number[]).join()}}`;
  if (type === 'text[]') return `{${(value as readonly string[]).map(arrayItem).join()}}`;
  if (type === 'tsvector') {
    const { configuration, text } = value as SearchableText;
    return `${configuration} ${text}`;
  }
  return value as Element;
}

const arrayItem = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
