import { Increment } from './define';
import type { ColumnType, Row, Value } from './define';

/** What an operation sets in a row. */
export type Settings = Readonly<Record<string, Value | Increment>>;

const isNumeric = (type: ColumnType) => type === 'int2' || type === 'int4' || type === 'int8';

/** Whether rows can be found by a column of this type. */
export const isComparable = (type: ColumnType | undefined) =>
  type !== undefined && type !== 'jsonb' && type !== 'int8[]' && type !== 'text[]';

/** Whether a column of this type takes the value; null always, an increment where it counts. */
export function fits(type: ColumnType, value: unknown): boolean {
  if (value instanceof Increment) return isNumeric(type) && fits(type, value.by);
  if (value === null) return true;
  switch (type) {
    case 'int2':
      return Number.isInteger(value) && Math.abs(value as number) <= 0x7fff;
    case 'int4':
      return Number.isInteger(value) && Math.abs(value as number) <= 0x7fff_ffff;
    case 'int8':
      return Number.isSafeInteger(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string';
    case 'jsonb':
      return value !== undefined;
    case 'int8[]':
      return Array.isArray(value) && value.every(Number.isSafeInteger);
    case 'text[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
  }
}

/** A row that is known, changed. An increment counts from 0 where there is no number yet. */
export function applied(row: Row, set: Settings): Row {
  const result: Record<string, Value> = { ...row };
  for (const column in set) {
    const value = set[column] as Value | Increment;
    result[column] = value instanceof Increment ? Number(result[column] ?? 0) + value.by : value;
  }
  return result;
}

/** Two changes of a row that is not known, as one. */
export function merged(first: Settings, second: Settings): Settings {
  const result: Record<string, Value | Increment> = { ...first };
  for (const column in second) {
    const value = second[column] as Value | Increment;
    const before = result[column];
    if (!(value instanceof Increment) || before === undefined) result[column] = value;
    else if (before instanceof Increment) result[column] = new Increment(before.by + value.by);
    else result[column] = Number(before ?? 0) + value.by;
  }
  return result;
}
