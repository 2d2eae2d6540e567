/**
 * The part of a file that a `Range` header requests: bytes of it, a part that the file does not have, or the whole file
 * because the header is not supported.
 */
export type WantedRange = { readonly start: number; readonly end: number } | 'unsatisfiable' | 'whole';

/**
 * One range of bytes (RFC 9110 section 14). Several ranges and malformed ones are ignored, which the standard allows.
 *
 * @param size of the file in bytes
 * @returns both ends included
 */
export function wantedRange(header: string | undefined, size: number): WantedRange {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
