import { BitChange, isBits, bitWidthOf } from '../definition/bits';
import { AtLeast, Increment } from '../definition/define';
import type { ColumnType, Row, SearchableText, ColumnChange, Value } from '../definition/define';

/** The changes that an operation makes to a row. */
export type ColumnChanges = Readonly<Record<string, ColumnChange>>;

const isNumeric = (type: ColumnType) => type === 'int2' || type === 'int4' || type === 'int8';

/** Whether rows can be found by a column of this type. */
export const isComparable = (type: ColumnType | undefined) =>
  type !== undefined && !['jsonb', 'int8[]', 'text[]', 'tsvector'].includes(type) && !isBits(type);

/** Whether a column of this type takes the value; null always, changes of a number or of bits where there are these. */
export function fitsColumn(type: ColumnType, value: unknown): boolean {
  if (value instanceof Increment) return isNumeric(type) && fitsColumn(type, value.by);
  if (value instanceof AtLeast) return isNumeric(type) && fitsColumn(type, value.value);
  if (value instanceof BitChange) return fitsColumn(type, value.set) && fitsColumn(type, value.cleared);
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
    case 'tsvector': {
      const { configuration, text } = value as SearchableText;
      return typeof configuration === 'string' && typeof text === 'string';
    }
    default:
      return Buffer.isBuffer(value) && value.length * 8 === bitWidthOf(type);
  }
}

/** A known row after a change. A null column counts as 0 for an increment. */
export function applied(row: Row, set: ColumnChanges): Row {
  const result: Record<string, Value> = { ...row };
  for (const column in set) result[column] = resolved(set[column] as ColumnChange, result[column] ?? null);
  return result;
}

/** The value of a column after a change. */
function resolved(setting: ColumnChange, before: Value): Value {
  if (setting instanceof Increment) return Number(before ?? 0) + setting.by;
  if (setting instanceof AtLeast) return Math.max(Number(before ?? setting.value), setting.value);
  if (setting instanceof BitChange) return setting.appliedTo(before as Buffer | null);
  return setting;
}

/**
 * Combines two changes of an unknown row.
 *
 * @throws Error if a column is both counted and raised, as no single change expresses that
 */
export function merged(first: ColumnChanges, second: ColumnChanges): ColumnChanges {
  const result: Record<string, ColumnChange> = { ...first };
  for (const column in second) {
    const before = result[column];
    const after = second[column] as ColumnChange;
    result[column] = before === undefined ? after : mergedSetting(column, before, after);
  }
  return result;
}

/** Whether the change depends on the current value, which only the database knows. */
export const isChange = (setting: ColumnChange): setting is Increment | AtLeast | BitChange =>
  setting instanceof Increment || setting instanceof AtLeast || setting instanceof BitChange;

function mergedSetting(column: string, before: ColumnChange, after: ColumnChange): ColumnChange {
  if (!isChange(after)) return after;
  if (!isChange(before)) return resolved(after, before);
  if (before instanceof Increment && after instanceof Increment) return new Increment(before.by + after.by);
  if (before instanceof AtLeast && after instanceof AtLeast) {
    return new AtLeast(Math.max(before.value, after.value));
  }
  if (before instanceof BitChange && after instanceof BitChange) return before.then(after);
  throw new Error(`column ${column} is both counted and raised`);
}
