import { randomBytes } from 'node:crypto';
import { unknownPath } from './unknown-path';

describe('an unknown path in the log', () => {
  it.each([
    ['/api/v1/users/5/new_thing?private=1', '/api/v1/users/…/new_thing'],
    ['/json/realm/user_settings_defaults', '/json/realm/user_settings_defaults'],
    ['/scim/v2/Bulk#private', '/scim/v2/Bulk'],
    ['/favicon.ico', '/favicon.ico'],
    ['/.well-known/openid-configuration', '/.well-known/openid-configuration'],
    ['//user//', '//user//'],
    ['*', '…'],
  ])('%s tells what a client asks for', (url, shown) => {
    expect(unknownPath(url)).toBe(shown);
  });

  it.each([
    ['an email address', '/api/v1/users/ada@example.com/thing', '/api/v1/users/…/thing'],
    ['the name of a file', '/user_uploads/2/ab/Zm9vYmFy/salaries.pdf/x', '/user_uploads/…/ab/…/…/x'],
    ['escaped slashes', '/join%2fabcdefgh%2fx', '/…'],
    ['many letters', '/join/abcdefghijklmnopqrst', '/join/…'],
    ['an address instead of a path', 'http://chat.example.com/join/abc1', '…//…/join/…'],
  ])('%s is not in it', (_, url, shown) => {
    expect(unknownPath(url)).toBe(shown);
  });

  it('has at most 200 characters', () => {
    expect(unknownPath('/there'.repeat(100))).toBe('/there'.repeat(100).slice(0, 200));
  });

  it.each(['hex', 'base64url'] as const)('has no token in %s, wherever the path is wrong', (encoding) => {
    for (let n = 0; n < 200; n += 1) {
      const token = randomBytes(16).toString(encoding);
      for (const path of [
        `/join/${token}/x`,
        `//join/${token}`,
        `/Join/${token}/`,
        `/${token}`,
        `/unsubscribe/${token}/x`,
        `/accounts/password/reset/1-${token}/x`,
      ])
        expect(unknownPath(path)).not.toContain(token);
    }
  });
});
