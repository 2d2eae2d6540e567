import { clientName } from './client-name';

describe('the name of a client', () => {
  it.each([
    ['ZulipPython/0.9.0 (Ubuntu; 22.04)', 'ZulipPython'],
    ['ZulipFlutter/30.0.274+274 (Android 14)', 'ZulipFlutter'],
    ['go-zulip/1.0.0 (linux)', 'go-zulip'],
    ['Apache-HttpClient/5.2', 'Apache-HttpClient'],
    ['curl', 'curl'],
    ['My Bot 2.0', 'My Bot'],
    ['Bot (beta)', 'Bot'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'website'],
    ['Opera/9.80', 'website'],
    ['', 'Unspecified'],
    ['/1.0', 'Unspecified'],
    ['x'.repeat(40), 'x'.repeat(30)],
  ])('of %s is %s', (userAgent, name) => {
    expect(clientName(undefined, userAgent)).toBe(name);
  });

  it('is the `client` parameter if it is present', () => {
    expect(clientName('my script 3', 'curl/8')).toBe('my script 3');
    expect(clientName('', 'curl/8')).toBe('curl');
    expect(clientName(undefined, undefined)).toBe('Unspecified');
  });

  it('can always be stored: no control characters, no half pairs, 30 code points', () => {
    expect(clientName('a\0b\ud800c\n', undefined)).toBe('abc');
    expect(clientName('\0', 'curl/8')).toBe('curl');
    expect(clientName('😀'.repeat(40), undefined)).toBe('😀'.repeat(30));
  });
});
