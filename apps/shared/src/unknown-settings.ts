import { CannotStart } from '@annals/embedded';

const PREFIX = 'ANNALS_';

/** Variables of the test suite, which a process under test inherits. */
const OF_TESTS = 'ANNALS_TEST_';

/**
 * Whether Kubernetes set the variable: it puts the addresses of services into every container of their namespace, also
 * of a service whose name begins with `annals`.
 */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):/.test(value));

/**
 * Refuses a variable that has the form of a setting but is not one. Otherwise a misspelt setting would silently keep its default.
 *
 * @param known names of all settings
 * @throws CannotStart with the closest name
 */
export function refuseUnknown(env: Readonly<Record<string, string | undefined>>, known: readonly string[]): void {
  const isUnknown = ([name, value]: [string, string | undefined]) =>
    name.startsWith(PREFIX) &&
    value?.trim() &&
    !known.includes(name) &&
    !name.startsWith(OF_TESTS) &&
    !isServiceLink(name, value);
  const [unknown] = Object.entries(env).find(isUnknown) ?? [];
  if (unknown === undefined) return;
  throw new CannotStart(`${unknown} is not a setting. Did you mean ${nearest(unknown, known)}?`);
}

/** The name that the fewest changes make of this one; a prefix that is missing or too much is one change. */
function nearest(unknown: string, known: readonly string[]): string {
  const bare = unknown.slice(PREFIX.length);
  const changes = (name: string) => Math.min(distance(unknown, name), distance(bare, name) + 1);
  return known.reduce((best, name) => (changes(name) < changes(best) ? name : best));
}

/** The Levenshtein distance: characters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
