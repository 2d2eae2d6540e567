/** Longest email, in characters. */
const MAX = 254;
/** One part without blanks on each side. What else an address may be, the organization decides when somebody joins. */
const FORM = /^[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[^\s@,;<>"()]+$/u;

/** An address as a provider wrote it, without blanks around it. Null for what is none. */
export function addressOf(written: unknown): string | null {
  if (typeof written !== 'string') return null;
  const address = written.trim();
  return address.length <= MAX && FORM.test(address) && !/\p{Cc}|\p{Cf}|\p{Cs}/u.test(address) ? address : null;
}
