import { AtLeast, Increment } from '../definition/define';
import type { ColumnType, Row, Setting, Value } from '../definition/define';

/** What an operation sets in a row. */
export type Settings = Readonly<Record<string, Setting>>;

const isNumeric = (type: ColumnType) => type === 'int2' || type === 'int4' || type === 'int8';

/** Whether rows can be found by a column of this type. */
export const isComparable = (type: ColumnType | undefined) =>
  type !== undefined && type !== 'jsonb' && type !== 'int8[]' && type !== 'text[]';

/** Whether a column of this type takes the value; null always, functions of a number where there are numbers. */
export function fits(type: ColumnType, value: unknown): boolean {
  if (value instanceof Increment) return isNumeric(type) && fits(type, value.by);
  if (value instanceof AtLeast) return isNumeric(type) && fits(type, value.value);
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
  for (const column in set) result[column] = resolved(set[column] as Setting, result[column] ?? null);
  return result;
}

/** What a column is after a change of the value it has. */
function resolved(setting: Setting, before: Value): Value {
  if (setting instanceof Increment) return Number(before ?? 0) + setting.by;
  if (setting instanceof AtLeast) return Math.max(Number(before ?? setting.value), setting.value);
  return setting;
}

/**
 * Two changes of a row that is not known, as one.
 *
 * @throws Error when a column is both counted and raised, which no single change says
 */
export function merged(first: Settings, second: Settings): Settings {
  const result: Record<string, Setting> = { ...first };
  for (const column in second) {
    const before = result[column];
    const after = second[column] as Setting;
    result[column] = before === undefined ? after : mergedSetting(column, before, after);
  }
  return result;
}

function mergedSetting(column: string, before: Setting, after: Setting): Setting {
  if (!(after instanceof Increment || after instanceof AtLeast)) return after;
  if (!(before instanceof Increment || before instanceof AtLeast)) return resolved(after, before);
  if (before instanceof Increment && after instanceof Increment) return new Increment(before.by + after.by);
  if (before instanceof AtLeast && after instanceof AtLeast) {
    return new AtLeast(Math.max(before.value, after.value));
  }
  throw new Error(`column ${column} is both counted and raised`);
}
