import type { RealmId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { LONGEST_PART, bouncePart, readBounce } from './incoming-part';

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
const realmId = fc.integer({ min: 1, max: 0x7fff_ffff }).map((id) => id as RealmId);

describe('the address that a mail comes back to', () => {
  it('names the mail, and is short', () => {
    fc.assert(
      fc.property(realmId, hex, (realm, token) => {
        const part = bouncePart({ realmId: realm, token });
        expect(part.length).toBeLessThanOrEqual(LONGEST_PART);
        expect(readBounce(part.toUpperCase())).toEqual({ realmId: realm, token });
      }),
      { numRuns: 50 },
    );
  });

  it('that a mail was sent with earlier names it too', () => {
    const token = '0123456789abcdef'.repeat(2);
    expect(readBounce(`bounces+12.${token}`)).toEqual({ realmId: 12, token });
  });

  it.each([
    '',
    'bounces+1.0',
    'bounces+0.' + '0'.repeat(25),
    'bounces+zzzzzz.' + '0'.repeat(25),
    'bounces+1.' + 'z'.repeat(25),
  ])('is not %j', (part) => expect(readBounce(part)).toBeNull());
});
