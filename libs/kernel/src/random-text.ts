import { randomInt } from 'node:crypto';

/** Letters and digits of both cases. */
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Small letters and digits of which none looks like another one. */
export const LEGIBLE = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Small letters and digits of base32. */
export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** A text that nobody can guess, of the characters of an alphabet. */
export const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
