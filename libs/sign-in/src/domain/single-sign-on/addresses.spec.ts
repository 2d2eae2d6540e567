import { addressOf } from './addresses';

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
    'ann\ud800@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('is none in %j', (written) => expect(addressOf(written)).toBeNull());
});
