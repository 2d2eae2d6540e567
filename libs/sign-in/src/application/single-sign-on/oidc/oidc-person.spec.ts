import type { OidcProvider } from '../../../domain/single-sign-on/providers';
import { personOf } from './oidc-person';

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
