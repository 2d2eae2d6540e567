import type { OidcProvider } from '../../../domain/single-sign-on/providers';
import { isOpen, personOf, together } from './oidc-person';

const provider: OidcProvider = {
  name: 'main',
  organizations: null,
  displayName: 'Login',
  displayIcon: null,
  joinsAtOnce: false,
  issuer: 'https://id.example.com',
  clientId: 'annals',
  clientSecret: 'secret',
  scopes: ['openid'],
  claims: { email: 'email', emailVerified: 'email_verified', fullName: 'name' },
  allEmailsVerified: false,
};
type Said = Readonly<Record<string, unknown>>;
const claims = { iss: 'https://id.example.com', sub: '0815', email: 'ann@example.com' };

describe('the person of a token', () => {
  it.each([
    [true, 'ann@example.com'],
    ['true', 'ann@example.com'],
    [1, 'ann@example.com'],
    ['1', 'ann@example.com'],
    [false, null],
    ['false', null],
    ['yes', null],
    [0, null],
    ['0', null],
    [2, null],
    ['', null],
    [[true], null],
    [null, null],
    [undefined, null],
  ])('has a verified address with %j', (email_verified, verifiedEmail) => {
    expect(personOf(provider, { ...claims, email_verified })).toMatchObject({ verifiedEmail });
  });

  it('has a verified address where the operator vouches for all of them', () => {
    const trusting = { ...provider, allEmailsVerified: true };
    expect(personOf(trusting, { ...claims, email_verified: false }).verifiedEmail).toBe('ann@example.com');
    expect(personOf(trusting, { ...claims, email: ['ann@example.com'] }).verifiedEmail).toBeNull();
  });

  it('is known by issuer and subject', () => {
    expect(personOf(provider, claims).identity).toEqual({ issuer: 'https://id.example.com', subject: '0815' });
  });

  it('has the names of other claims', () => {
    const other = { ...provider, claims: { email: 'upn', emailVerified: 'xms_edov', fullName: 'display' } };
    expect(personOf(other, { ...claims, upn: 'a@example.com', xms_edov: '1', display: ' Ann ' })).toMatchObject({
      verifiedEmail: 'a@example.com',
      fullName: 'Ann',
    });
    expect(personOf(provider, { ...claims, given_name: 'Ann', family_name: 'Example' }).fullName).toBe('Ann Example');
    expect(personOf(provider, { ...claims, name: '  ' }).fullName).toBeNull();
  });
});

describe('an ID token beside the answer of userinfo', () => {
  const token = { ...claims, name: 'Ann' };
  const more = { sub: '0815', email: 'ann@example.com', email_verified: true, name: 'Other' };
  const person = (said: object, answer: Said, of = provider) =>
    personOf(of, together(of, { iss: claims.iss, sub: '0815', ...said }, answer));

  it('is enough if it says everything', () => {
    expect(isOpen(provider, { ...token, email_verified: false })).toBe(false);
    expect(isOpen({ ...provider, allEmailsVerified: true }, token)).toBe(false);
    for (const open of [token, { ...token, email_verified: null }, { ...claims, email_verified: true }])
      expect(isOpen(provider, open)).toBe(true);
  });

  it.each<[object, Said, string | null]>([
    [token, more, 'ann@example.com'],
    [{ name: 'Ann' }, more, 'ann@example.com'],
    [{ ...token, email_verified: true }, { ...more, email: 'eve@example.com' }, 'ann@example.com'],
    [{ ...token, email_verified: false }, more, null],
    [{ email_verified: 'false' }, more, null],
    // The word of one answer is not about the address of the other one.
    [token, { ...more, email: 'eve@example.com' }, 'eve@example.com'],
    [token, { sub: '0815', email_verified: true }, null],
    [{ email_verified: true }, { sub: '0815', email: 'eve@example.com' }, null],
    [token, { ...more, email_verified: false }, null],
    [token, {}, null],
  ])('%j with %j has the verified address %s', (said, answer, verifiedEmail) => {
    expect(person(said, answer)).toMatchObject({ verifiedEmail });
  });

  it('keeps its address where the operator vouches for all of them', () => {
    const trusting = { ...provider, allEmailsVerified: true };
    expect(person(claims, { sub: '0815', name: 'Ann' }, trusting)).toMatchObject({
      verifiedEmail: 'ann@example.com',
      fullName: 'Ann',
    });
  });
});
