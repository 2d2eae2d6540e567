import { AddressGuard } from './address-guard';

const guard = new AddressGuard();

describe('connections on behalf of users', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    'may be made to %s',
    (address) => expect(guard.allows(address)).toBe(true),
  );

  it.each([
    ['this machine', ['127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1']],
    ['the link', ['169.254.1.1', 'fe80::1', 'fe80::1%eth0']],
    ['metadata of clouds', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192']],
    ['carriers', ['100.64.0.1', '100.127.255.255']],
    ['groups and everybody', ['224.0.0.1', '239.255.255.255', '255.255.255.255', '240.0.0.1', 'ff02::1']],
    ['documentation and tests', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1']],
    ['IPv4 within IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:10.0.0.1']],
    ['IPv4 by translation', ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::1', '2001:0:7f00:1::1']],
    ['what is no address', ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '1.1.1.1.1', 'fe80::1%1']],
  ])('may not be made to %s', (_, addresses) =>
    expect(addresses.filter((address) => guard.allows(address))).toEqual([]),
  );

  it('may be made to what the operator allows, and to nothing beside it', () => {
    const allowing = new AddressGuard('10.1.2.3, 192.168.0.0/24 ,fd00::/8');
    const allowed = ['10.1.2.3', '192.168.0.255', 'fd00::1', '8.8.8.8'];
    const refused = ['10.1.2.4', '192.168.1.0', 'fe80::1', '127.0.0.1'];
    expect([...allowed, ...refused].filter((address) => allowing.allows(address))).toEqual(allowed);
  });

  it.each(['localhost', '10.0.0.0/33', '10.0.0', '10.0.0.1/x', '::1/129', '10.0.0.1 10.0.0.2'])(
    'cannot be allowed to %j',
    (written) => expect(() => new AddressGuard(written)).toThrow(),
  );
});
