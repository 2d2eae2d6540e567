import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Of an IPv6 address: what a provider gives to one household or one machine at least. */
const NETWORK_GROUPS = 4;

/**
 * Whom limits take an address for: itself, or with IPv6 its /64, for whoever has one has all of it. Addresses of IPv4 in
 * the dress of IPv6 are taken for what they are.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail] = bare.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  // A tail of dots stands for two groups, but they are never among the first four of an address that is not mapped.
  const left = tail === undefined ? [] : Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  const groups = [...before, ...left, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
