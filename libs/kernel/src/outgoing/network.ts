import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Of an IPv6 address: the part that a provider gives at least to one household or machine. */
const NETWORK_GROUPS = 4;

/**
 * The unit of limits for an address: the address itself, or for IPv6 its /64, because one person has all of it. IPv4
 * addresses that are mapped into IPv6 count as IPv4.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail] = bare.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  // A dotted end counts as two groups, but it is never among the first four of an address that is not mapped.
  const left = tail === undefined ? [] : Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  const groups = [...before, ...left, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
