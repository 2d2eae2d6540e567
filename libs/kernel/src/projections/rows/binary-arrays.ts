/**
 * The element types of an array parameter. `json` and `jsonb` take text that is JSON already, which is stored verbatim.
 * `varbit` takes whole bytes of bits.
 */
export type ElementType =
  'int2' | 'int4' | 'int8' | 'bool' | 'text' | 'json' | 'jsonb' | 'bytea' | 'varbit' | 'uuid' | 'float8';

export type Element = number | boolean | string | Buffer | null;

const OID: Readonly<Record<ElementType, number>> = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  float8: 701,
  varbit: 1562,
  uuid: 2950,
  jsonb: 3802,
};

const HEADER = 20;
const LENGTH = 4;
const NULL_LENGTH = -1;
const JSONB_FORMAT = 1;
/** The length of the field with the number of bits before them, in bytes. */
const BIT_LENGTH = 4;

/**
 * A one-dimensional PostgreSQL array in binary form, for `$1::int8[]` and the like: node-pg sends a Buffer as a binary
 * parameter. Text arrays cost a third of the write rate.
 * @throws RangeError | TypeError for a value that does not fit the type; int8 takes safe integers only
 */
export function binaryArray(type: ElementType, values: readonly Element[]): Buffer {
  switch (type) {
    case 'int2':
      return fixed(type, 2, values, (to, value, at) => to.writeInt16BE(integer(type, value), at));
    case 'int4':
      return fixed(type, 4, values, (to, value, at) => to.writeInt32BE(integer(type, value), at));
    case 'int8':
      return fixed(type, 8, values, writeInt8);
    case 'float8':
      return fixed(type, 8, values, writeFloat8);
    case 'bool':
      return fixed(type, 1, values, writeBool);
    case 'uuid':
      return fixed(type, 16, values, writeUuid);
    case 'text':
    case 'json':
    case 'jsonb':
      return texts(type, values);
    case 'bytea':
      return bytes(type, values, 0);
    case 'varbit':
      return bytes(type, values, BIT_LENGTH);
  }
}

function allocate(type: ElementType, values: readonly Element[], payload: number): Buffer {
  if (values.length === 0) {
    const empty = Buffer.alloc(12);
    empty.writeInt32BE(OID[type], 8);
    return empty;
  }
  const array = Buffer.allocUnsafe(HEADER + payload);
  array.writeInt32BE(1, 0); // dimensions
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(OID[type], 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16); // lower bound
  return array;
}

function fixed(
  type: ElementType,
  size: number,
  values: readonly Element[],
  write: (to: Buffer, value: Element, at: number) => void,
): Buffer {
  let payload = values.length * (LENGTH + size);
  for (const value of values) if (value === null) payload -= size;
  const array = allocate(type, values, payload);
  let at = HEADER;
  for (const value of values) {
    at = array.writeInt32BE(value === null ? NULL_LENGTH : size, at);
    if (value === null) continue;
    write(array, value, at);
    at += size;
  }
  return array;
}

function texts(type: 'text' | 'json' | 'jsonb', values: readonly Element[]): Buffer {
  const prefix = type === 'jsonb' ? 1 : 0;
  let payload = values.length * LENGTH;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== 'string') throw unfit(type, value);
    payload += prefix + Buffer.byteLength(value);
  }
  const array = allocate(type, values, payload);
  let at = HEADER;
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    const start = at + LENGTH + prefix;
    const written = array.write(value as string, start);
    array.writeInt32BE(prefix + written, at);
    if (prefix === 1) array.writeUInt8(JSONB_FORMAT, at + LENGTH);
    at = start + written;
  }
  return array;
}

function bytes(type: 'bytea' | 'varbit', values: readonly Element[], prefix: number): Buffer {
  let payload = values.length * LENGTH;
  for (const value of values) {
    if (value === null) continue;
    if (!Buffer.isBuffer(value)) throw unfit(type, value);
    payload += prefix + value.length;
  }
  const array = allocate(type, values, payload);
  let at = HEADER;
  for (const value of values as readonly (Buffer | null)[]) {
    at = array.writeInt32BE(value === null ? NULL_LENGTH : prefix + value.length, at);
    if (value === null) continue;
    if (prefix > 0) at = array.writeInt32BE(value.length * 8, at);
    at += value.copy(array, at);
  }
  return array;
}

function integer(type: ElementType, value: Element): number {
  if (!Number.isSafeInteger(value)) throw unfit(type, value);
  return value as number;
}

function writeInt8(to: Buffer, value: Element, at: number): void {
  const whole = integer('int8', value);
  const high = Math.floor(whole / 0x1_0000_0000);
  to.writeInt32BE(high, at);
  to.writeUInt32BE(whole - high * 0x1_0000_0000, at + 4);
}

function writeFloat8(to: Buffer, value: Element, at: number): void {
  if (typeof value !== 'number') throw unfit('float8', value);
  to.writeDoubleBE(value, at);
}

function writeBool(to: Buffer, value: Element, at: number): void {
  if (typeof value !== 'boolean') throw unfit('bool', value);
  to.writeUInt8(value ? 1 : 0, at);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function writeUuid(to: Buffer, value: Element, at: number): void {
  if (typeof value !== 'string' || !UUID.test(value)) throw unfit('uuid', value);
  to.write(value.replaceAll('-', ''), at, 'hex');
}

/** Names the type of the value but not the value, which may be a text of a user. */
function unfit(type: ElementType, value: Element): TypeError {
  return new TypeError(`a ${typeof value} does not fit the type ${type}`);
}
