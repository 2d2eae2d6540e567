/** The source of a text: a string, or an object that counts the reads. */
export type CodeUnits = Pick<string, 'length' | 'charCodeAt'>;

/** Half a surrogate pair. Every text with it is refused, so invalid UTF-8 cannot pass for another text. */
const NOT_UTF8 = 0xdfff;
const PERCENT = 0x25;
/** Least code point of a character by the number of its bytes. A smaller one in as many bytes is not UTF-8. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000] as const;

/**
 * Decodes the percent escapes of a text that need not be well-formed. A `%` that begins no escape is not changed.
 * Consecutive escapes that are not UTF-8 become a character that every text parameter refuses. Each character is read a
 * few times at most, and nothing is thrown, whatever the text.
 */
export function decodeEscapes(text: CodeUnits): string {
  const units = new Uint16Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length;) {
    if (byteAt(text, at) < 0) {
      units[size++] = text.charCodeAt(at++);
      continue;
    }
    const start = size;
    let isUtf8 = true;
    for (let lead = byteAt(text, at); lead >= 0; lead = byteAt(text, at)) {
      const count = bytesOf(lead);
      const point = count === 0 ? -1 : pointAt(text, at, lead, count);
      if (point < 0) isUtf8 = false;
      else if (isUtf8) size = put(units, size, point);
      at += point < 0 ? 3 : 3 * count;
    }
    if (isUtf8) continue;
    units[start] = NOT_UTF8;
    size = start + 1;
  }
  return Buffer.from(units.buffer, 0, 2 * size).toString('utf16le');
}

/** The byte of the escape that begins here. -1 if none does. */
function byteAt(text: CodeUnits, at: number): number {
  if (text.charCodeAt(at) !== PERCENT || at + 2 >= text.length) return -1;
  const high = digit(text.charCodeAt(at + 1));
  if (high < 0) return -1;
  const low = digit(text.charCodeAt(at + 2));
  return low < 0 ? -1 : 16 * high + low;
}

function digit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Number of bytes of the character that begins with this one. 0 if none can. */
function bytesOf(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The code point of so many escapes. -1 if they are not one in UTF-8. */
function pointAt(text: CodeUnits, at: number, lead: number, count: number): number {
  if (count === 1) return lead;
  let point = lead & (0x7f >> count);
  for (let n = 1; n < count; n++) {
    const byte = byteAt(text, at + 3 * n);
    if (byte < 0x80 || byte > 0xbf) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point < (LEAST[count] ?? 0) || point > 0x10ffff || isSurrogate ? -1 : point;
}

/** @returns the size with this character */
function put(units: Uint16Array, size: number, point: number): number {
  if (point < 0x10000) {
    units[size] = point;
    return size + 1;
  }
  units[size] = 0xd7c0 + (point >> 10);
  units[size + 1] = 0xdc00 | (point & 0x3ff);
  return size + 2;
}
