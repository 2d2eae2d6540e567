import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not of the public internet (IANA special-purpose registry), and Azure's address for machines. */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];
/** Everything public in IPv6. No form of an IPv4 address is in it, but for those among `SPECIAL_V6`. */
const GLOBAL_V6 = ['2000::/3'];
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = networks(SPECIAL_V4.concat(SPECIAL_V6));
const globalV6 = networks(GLOBAL_V6);

/**
 * Networks in CIDR notation, or single addresses.
 *
 * @throws Error for one that is neither
 */
function networks(written: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of written) {
    const [, address = '', , bits] = /^([\d.:a-f]+)(\/(\d{1,3}))?$/i.exec(one.trim()) ?? [];
    const family = familyOf(address);
    if (!family) throw new Error(`${one} is no address or network`);
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return null;
  }
}

/** Decides to which addresses this server may connect on behalf of users: those of the public internet. */
export class AddressGuard {
  private readonly permitted: BlockList;

  /**
   * @param allowed further addresses and networks, with commas between them
   * @throws Error for one that is neither
   */
  constructor(allowed = '') {
    this.permitted = networks(allowed.split(',').filter((one) => one.trim() !== ''));
  }

  /** Whether a connection to an IP address may be made. */
  allows(address: string): boolean {
    const family = familyOf(address);
    // A zone names a network of this machine.
    if (!family || address.includes('%')) return false;
    if (this.isNamed(address)) return true;
    return !special.check(address, family) && (family === 'ipv4' || globalV6.check(address, family));
  }

  /** Whether an IP address is in a network that was named, and not only in the public internet. */
  isNamed(address: string): boolean {
    const family = familyOf(address);
    return family !== null && !address.includes('%') && this.permitted.check(address, family);
  }
}
