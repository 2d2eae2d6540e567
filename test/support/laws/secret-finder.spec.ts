import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { SecretFinder } from './secret-finder';

const PASSWORD = 'correct "horse" (battery) & staple!';
const KEY = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF';
const finder = new SecretFinder([
  { name: 'password', bytes: Buffer.from(PASSWORD) },
  { name: 'key', bytes: Buffer.from(KEY) },
]);
const around = (text: string) => `some words before it ${text} and after it`;

describe('the search for secrets', () => {
  it.each([
    ['as it is', PASSWORD],
    ['JSON', JSON.stringify({ password: PASSWORD })],
    ['URL', encodeURIComponent(PASSWORD)],
    ['form', new URLSearchParams({ password: PASSWORD }).toString()],
    ['hex', Buffer.from(PASSWORD).toString('hex')],
    ['hex', Buffer.from(PASSWORD).toString('hex').toUpperCase()],
    ['bytes', inspect({ password: Buffer.from(PASSWORD) })],
    ['bytes', JSON.stringify({ password: Buffer.from(PASSWORD) })],
    ['base64', Buffer.from(PASSWORD).toString('base64')],
    ['base64', Buffer.from(`?${PASSWORD}>>`).toString('base64url')],
  ])('finds a password %s', (form, text) => {
    expect(finder.in(around(text))).toContain(`password (${form})`);
  });

  it.each(['a@x.org', 'ab@x.org', 'abc@x.org', 'abcd@x.org'])('finds a key in the login header of %s', (email) => {
    expect(finder.in(around(`Basic ${btoa(`${email}:${KEY}`)}`))).toEqual(['key (base64)']);
  });

  it('finds several at once, at the start and the end, and in bytes', () => {
    expect(finder.in(Buffer.from(`${KEY} ${PASSWORD}`))).toEqual(
      expect.arrayContaining(['key (as it is)', 'password (as it is)']),
    );
    expect(finder.in(KEY)).toContain('key (as it is)');
  });

  it('finds nothing where there is nothing', () => {
    expect(finder.in('')).toEqual([]);
    expect(finder.in(KEY.slice(1))).toEqual([]);
    expect(finder.in(KEY.toLowerCase())).toEqual([]);
    expect(finder.in(randomBytes(100_000).toString('base64'))).toEqual([]);
  });

  it('ignores texts that are common by chance', () => {
    const names = ['short', 'x'.repeat(32), 'ababababababab'];
    const idle = new SecretFinder(names.map((name) => ({ name, bytes: Buffer.from(name) })));
    expect(idle.in(around(names.join(' ')))).toEqual([]);
  });

  it('is fast for a hundred secrets and a megabyte', () => {
    const secrets = Array.from({ length: 100 }, (_, n) => ({ name: String(n), bytes: randomBytes(24) }));
    const text = Buffer.from(randomBytes(512 * 1024).toString('hex'));
    const many = new SecretFinder(secrets);
    const times = [0, 1, 2].map(() => {
      // of this process: other ones may be busy too
      const begun = process.cpuUsage();
      expect(many.in(text)).toEqual([]);
      return process.cpuUsage(begun).user / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(500);
  });
});
