/** Longest email, in characters. */
const MAX = 254;
/** One part without blanks on each side. What else an address may be, the organization decides when somebody joins. */
const FORM = /^[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[^\s@,;<>"()]+$/u;

/** An address as a provider wrote it, without blanks around it. Null for what is none. */
export function addressOf(written: unknown): string | null {
  if (typeof written !== 'string') return null;
  const address = written.trim();
  return address.length <= MAX && FORM.test(address) && !/\p{Cc}|\p{Cf}/u.test(address) ? address : null;
}

/**
 * Whether two addresses differ at most in the case of Latin letters. Lower case alone is not enough: that of the Kelvin sign is `k`,
 * and whoever owns one of the two addresses may not own the other.
 */
export const isSameAddress = (a: string, b: string): boolean => withoutCase(a) === withoutCase(b);

const withoutCase = (address: string) => address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
