import type { UserId } from '@annals/kernel/domain';
import { recorded } from '../../../../../test/support/events/recorded-events';
import { identitiesAggregate, isLinked, linkIdentity, unlinkIdentity, unlinkOwnIdentity } from './identities';

const ANN = 7 as UserId;
const HOME = { issuer: 'https://id.example.com', subject: '0815' };
const NONE = identitiesAggregate.initial;
const linked = linkIdentity(NONE, ANN, HOME).reduce(
  (state, fact) => identitiesAggregate.evolve(state, recorded(fact) as never),
  NONE,
);

describe('the identities of an account', () => {
  it('are linked once', () => {
    expect(linkIdentity(NONE, ANN, HOME)).toMatchObject([
      { data: { userId: ANN, issuer: HOME.issuer }, sealed: { subject: '0815' } },
    ]);
    expect(isLinked(linked, HOME)).toBe(true);
    expect(linkIdentity(linked, ANN, HOME)).toEqual([]);
  });

  it('are one for each provider: somebody else there with the address is another person', () => {
    expect(() => linkIdentity(linked, ANN, { ...HOME, subject: '4711' })).toThrow('another identity');
    expect(linkIdentity(linked, ANN, { ...HOME, issuer: 'https://other.example.com' })).toHaveLength(1);
  });

  it('have the subject of their own issuer only', () => {
    expect(isLinked(linked, { issuer: 'https://other.example.com', subject: '0815' })).toBe(false);
  });

  it('end', () => {
    const [fact] = unlinkIdentity(linked, ANN, HOME.issuer);
    const after = identitiesAggregate.evolve(linked, recorded(fact!));
    expect(isLinked(after, HOME)).toBe(false);
    expect(() => unlinkIdentity(after, ANN, HOME.issuer)).toThrow('not linked');
    expect(linkIdentity(after, ANN, { ...HOME, subject: '4711' })).toHaveLength(1);
  });

  it('are ended by the person, unless they are entries of a directory', () => {
    const entry = { issuer: 'ldap:company', subject: 'id:1' };
    const both = identitiesAggregate.evolve(linked, recorded(linkIdentity(linked, ANN, entry)[0]!));
    expect(unlinkOwnIdentity(both, ANN, HOME.issuer)).toEqual(unlinkIdentity(both, ANN, HOME.issuer));
    expect(() => unlinkOwnIdentity(both, ANN, entry.issuer)).toThrow('A directory of the organization manages');
    expect(() => unlinkOwnIdentity(linked, ANN, entry.issuer)).toThrow('not linked');
    expect(unlinkIdentity(both, ANN, entry.issuer)).toHaveLength(1);
  });

  it('log nobody in once the person was forgotten', () => {
    const [fact] = linkIdentity(NONE, ANN, HOME);
    const erased = { ...recorded(fact!), sealed: 'erased' };
    expect(isLinked(identitiesAggregate.evolve(NONE, erased as never), HOME)).toBe(false);
  });
});
