import { verify } from '@node-rs/argon2';
import { hashedByTheProduct } from '../../../../../test/support/server/passwords';
import { NOBODYS_HASH, Passwords } from './passwords';

const parametersOf = (hash: string) => hash.split('$').slice(1, 4);

describe('the hash of a password', () => {
  const hashed = (password: string) => hashedByTheProduct.call(Passwords.prototype, password);

  it('is argon2id with the least cost that OWASP recommends, and salted', async () => {
    const [one, other] = [await hashed('correct horse battery'), await hashed('correct horse battery')];
    expect(parametersOf(one)).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
    expect(one).not.toBe(other);
    expect(await verify(one, 'correct horse battery')).toBe(true);
    expect(await verify(one, 'correct horse')).toBe(false);
  });

  it('takes the same time for an account without a password', async () => {
    expect(parametersOf(NOBODYS_HASH)).toEqual(parametersOf(await hashed('')));
    expect(await verify(NOBODYS_HASH, '')).toBe(false);
  });
});
