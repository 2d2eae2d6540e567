/** @returns why the value of a field is refused; null for a good one */
export type FieldCheck = (value: unknown, field: string) => string | null;

/** NUL or half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;

export const isText: FieldCheck = (value, field) => {
  if (typeof value !== 'string') return `${field} is not a string`;
  return UNSTORABLE.test(value) ? `Invalid character in ${field}` : null;
};

/** Whether a value of JSON is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with the fields of an object, in the words of clients; null for nothing. */
export function faultIn(value: unknown, fields: Readonly<Record<string, FieldCheck>>, name: string): string | null {
  if (!isObject(value)) return `${name} is not a dict`;
  for (const [field, check] of Object.entries(fields)) {
    if (!Object.hasOwn(value, field)) return `${field} key is missing from ${name}`;
    const why = check(value[field], `${name}["${field}"]`);
    if (why !== null) return why;
  }
  return null;
}
