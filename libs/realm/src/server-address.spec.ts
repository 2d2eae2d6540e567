import { ServerAddress, mailDomain } from './server-address';

describe('the address of a server', () => {
  const address = new ServerAddress('https://chat.example.com:8443');

  it('is different for each organization', () => {
    expect(address.urlOf('')).toBe('https://chat.example.com:8443');
    expect(address.urlOf('zoo')).toBe('https://zoo.chat.example.com:8443');
  });

  it('finds the subdomain in a host', () => {
    expect(address.subdomainOf('zoo.chat.example.com')).toBe('zoo');
    for (const host of ['chat.example.com', '127.0.0.1', 'localhost', 'evilchat.example.com', '']) {
      expect(address.subdomainOf(host)).toBe('');
    }
  });

  it.each(['http://127.0.0.1:9991', 'http://[::1]:9991', 'http://localhost:9991'])(
    'of this machine, %s, has names below localhost',
    (url) => {
      const here = new ServerAddress(url);
      expect([here.urlOf(''), here.urlOf('zoo'), here.hasNames]).toEqual([url, 'http://zoo.localhost:9991', true]);
      const hosts = ['zoo.localhost', 'localhost', '127.0.0.1', 'zoo.example.com'];
      expect(hosts.map((host) => here.subdomainOf(host))).toEqual(['zoo', '', '', '']);
      expect(['zoo.localhost', 'localhost', new URL(url).hostname].map((host) => here.isOwn(host))).toEqual([
        true,
        true,
        true,
      ]);
      expect(['10.1.2.3', 'evillocalhost'].map((host) => here.isOwn(host))).toEqual([false, false]);
    },
  );

  it.each([
    ['http://192.0.2.1:9991', false],
    ['https://[2001:db8::1]', false],
    ['https://chat.example.com', true],
  ])('%s: names can be below it: %s', (url, hasNames) => {
    expect(new ServerAddress(url).hasNames).toBe(hasNames);
  });

  it('may be set later', () => {
    const later = new ServerAddress('http://localhost:0');
    later.url = 'http://chat.example.org:9991';
    expect([later.subdomainOf('zoo.chat.example.org'), later.subdomainOf('zoo.localhost')]).toEqual(['zoo', '']);
    expect(later.urlOf('zoo')).toBe('http://zoo.chat.example.org:9991');
  });
});

describe('the domain of placeholder emails', () => {
  it.each([
    ['https://chat.example.com:8443', 'chat.example.com'],
    ['http://localhost:9991', 'annals.invalid'],
    ['http://127.0.0.1:9991', 'annals.invalid'],
    ['http://zoo.localhost:9991', 'zoo.localhost'],
    ['http://[::1]:9991', 'annals.invalid'],
  ])('of %s is %s', (url, domain) => {
    expect(mailDomain(url)).toBe(domain);
  });
});
