import { addressOf, isSameAddress } from './addresses';

describe('an address of a provider', () => {
  it('is taken as it was written', () => {
    expect(addressOf(' Ann@Example.com ')).toBe('Ann@Example.com');
    expect(addressOf('müller@exämple.de')).toBe('müller@exämple.de');
  });

  it.each([
    undefined,
    42,
    '',
    'ann',
    'ann@localhost',
    'a@b@example.com',
    'ann@example.com,bob@example.com',
    'Ann <ann@example.com>',
    'ann@exam\u0000ple.com',
    'ann\u200B@example.com',
    'ann\u202E@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('is none in %j', (written) => expect(addressOf(written)).toBeNull());

  it('is the same in other case of Latin letters', () => {
    expect(isSameAddress('ANN@Example.com', 'ann@example.COM')).toBe(true);
  });

  it.each([
    ['kate@example.com', '\u212Aate@example.com'],
    ['ann@example.com', 'аnn@example.com'],
    ['ida@example.com', 'ıda@example.com'],
    ['ida@example.com', 'İda@example.com'],
    ['strasse@example.com', 'straße@example.com'],
    ['é@example.com', 'e\u0301@example.com'],
    ['Ünal@example.com', 'ünal@example.com'],
  ])('is not the same: %s and %s', (a, b) => expect(isSameAddress(a, b)).toBe(false));
});
