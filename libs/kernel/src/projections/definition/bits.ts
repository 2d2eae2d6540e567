/** A column of so many bits, a multiple of 8. Queries read bit 3 with `get_bit(column, 3) = 1`. */
export type BitsType = `bit(${number})`;

/** Of the column types that were asked for. Each value of a row is checked. */
const widths = new Map<string, number | null>();

/** Number of bits of a column type; null for a type that is none of bits. */
export function bitWidthOf(type: string): number | null {
  let width = widths.get(type);
  if (width === undefined) {
    const digits = /^bit\((\d+)\)$/.exec(type)?.[1];
    widths.set(type, (width = digits === undefined ? null : Number(digits)));
  }
  return width;
}

export const isBits = (type: string): type is BitsType => bitWidthOf(type) !== null;

/** Sets some bits of a column, clears others and keeps the rest; all bits are clear where the column is null. */
export class BitChange {
  /** Both as PostgreSQL orders them: bit 0 is the highest of the first byte. No bit is in both. */
  constructor(
    readonly set: Buffer,
    readonly cleared: Buffer,
  ) {}

  /** The value after the change of a value. @param before null: all bits are clear */
  appliedTo(before: Buffer | null): Buffer {
    if (before === null) return this.set;
    return union(this.onlySets ? before : without(before, this.cleared), this.set);
  }

  /** This change and then another one, as one. */
  then(next: BitChange): BitChange {
    if (this.onlySets && next.onlySets) return new BitChange(union(this.set, next.set), this.cleared);
    return new BitChange(next.appliedTo(this.set), union(without(this.cleared, next.set), next.cleared));
  }

  /** Whether it clears no bit. */
  get onlySets(): boolean {
    return this.cleared === noBits(this.cleared.length * 8) || this.cleared.every((byte) => byte === 0);
  }
}

/**
 * @param width of the column in bits
 * @param bits from 0 to below the width
 * @throws RangeError for a bit that the column does not have
 */
export const setBits = (width: number, bits: readonly number[]): BitChange =>
  new BitChange(bytesOf(width, bits), noBits(width));

/** The same for bits to clear. */
export const clearBits = (width: number, bits: readonly number[]): BitChange =>
  new BitChange(noBits(width), bytesOf(width, bits));

/** One for each width, which nobody changes: indexes set bits with each event. */
const empty = new Map<number, Buffer>();

function noBits(width: number): Buffer {
  let bytes = empty.get(width);
  if (!bytes) empty.set(width, (bytes = Buffer.alloc(width / 8)));
  return bytes;
}

function bytesOf(width: number, bits: readonly number[]): Buffer {
  const bytes = Buffer.alloc(width / 8);
  for (const bit of bits) {
    if (!Number.isInteger(bit) || bit < 0 || bit >= width) throw new RangeError(`there is no bit ${bit} of ${width}`);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return bytes;
}

function union(a: Buffer, b: Buffer): Buffer {
  const bytes = Buffer.from(a);
  for (let n = 0; n < bytes.length; n++) bytes[n] = (bytes[n] ?? 0) | (b[n] ?? 0);
  return bytes;
}

function without(a: Buffer, b: Buffer): Buffer {
  const bytes = Buffer.from(a);
  for (let n = 0; n < bytes.length; n++) bytes[n] = (bytes[n] ?? 0) & ~(b[n] ?? 0);
  return bytes;
}
