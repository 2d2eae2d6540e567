import { Rejected, Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { DomainEvent } from './domain-events';
import { DomainAdded, DomainRemoved, DomainSubdomainsChosen } from './domain-events';
import type { AllowedDomain } from './domains';
import { MAX_DOMAINS, addDomain, chooseSubdomains, domainsAggregate, removeDomain, withinDomains } from './domains';

const owner = { role: Role.owner };
const zoo = { id: 1, domain: 'zoo.example', allowSubdomains: false };
const farm = { id: 2, domain: 'farm.example', allowSubdomains: true };
const both = [zoo, farm];
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.code : error;
  }
  return undefined;
};
const add = (domain: string, state: readonly AllowedDomain[] = []) =>
  addDomain(state, { id: 3, domain, allowSubdomains: true }, owner);

describe('adding a domain', () => {
  it('is an event whose domain is sealed', () => {
    expect(add(' Zoo.Example ')).toEqual([
      { type: 'realm.DomainAdded', data: { domainId: 3, allowSubdomains: true }, sealed: { domain: 'zoo.example' } },
    ]);
  });

  it.each(['a.b', 'x--y.example', '1.2.3.4', `${'x'.repeat(251)}.com`])('accepts %j', (domain) => {
    expect(add(domain)).toHaveLength(1);
  });

  it.each([
    ...['', '  ', 'localhost', '.example', 'example.', 'a..b', '-a.example', 'a-.example', 'a.-b', 'a.b-'],
    ...['zoo_x.example', 'zoo example.com', 'zoö.example', '@zoo.example', 'zoo.example/', `${'x'.repeat(252)}.com`],
  ])('refuses %j', (domain) => {
    expect(refusal(() => add(domain))).toBe('BAD_REQUEST');
  });

  it('refuses a duplicate', () => {
    expect(refusal(() => add('ZOO.example', both))).toBe('BAD_REQUEST');
    expect(add('sub.zoo.example', both)).toHaveLength(1);
  });

  it('is limited in number', () => {
    const many = Array.from({ length: MAX_DOMAINS }, (_, n) => ({ ...zoo, id: n, domain: `zoo${n}.example` }));
    expect(refusal(() => add('one.more.example', many))).toBe('BAD_REQUEST');
    expect(add('one.more.example', many.slice(1))).toHaveLength(1);
  });
});

describe('a domain of the organization', () => {
  it('records whether subdomains are allowed, even when nothing changes', () => {
    for (const allowSubdomains of [true, false]) {
      expect(chooseSubdomains(both, 'Farm.example ', allowSubdomains, owner)).toEqual([
        {
          type: 'realm.DomainSubdomainsChosen',
          data: { domainId: 2, allowSubdomains },
          sealed: { domain: 'farm.example' },
        },
      ]);
    }
  });

  it('is removed', () => {
    expect(removeDomain(both, 'zoo.example', owner)).toEqual([
      { type: 'realm.DomainRemoved', data: { domainId: 1 }, sealed: { domain: 'zoo.example' } },
    ]);
  });

  it('can be changed and removed only if it is in the list', () => {
    expect(refusal(() => chooseSubdomains(both, 'sea.example', true, owner))).toBe('BAD_REQUEST');
    expect(refusal(() => removeDomain(both, 'sub.farm.example', owner))).toBe('BAD_REQUEST');
  });

  it.each([Role.administrator, Role.moderator, Role.member, Role.guest])('is refused to role %i', (role) => {
    for (const act of [
      () => addDomain(both, { ...zoo, domain: 'new.example' }, { role }),
      () => chooseSubdomains(both, 'zoo.example', true, { role }),
      () => removeDomain(both, 'zoo.example', { role }),
    ]) {
      expect(refusal(act)).toBe('UNAUTHORIZED_PRINCIPAL');
    }
  });
});

describe('the domains of an organization', () => {
  const domains = (...facts: readonly DomainEvent[]) => given(domainsAggregate, ...facts);
  const added = ({ id, domain, allowSubdomains }: AllowedDomain): DomainAdded => ({
    type: DomainAdded.type,
    data: { domainId: id, allowSubdomains },
    sealed: { domain },
  });

  it('are those that were added and not removed, with their latest option', () => {
    const chosen = { type: DomainSubdomainsChosen.type, data: { domainId: 1, allowSubdomains: true } } as const;
    const removed = { type: DomainRemoved.type, data: { domainId: 2 }, sealed: { domain: farm.domain } } as const;
    const changed = { ...chosen, sealed: { domain: zoo.domain } };
    expect(domains(added(zoo), added(farm), changed, removed)).toEqual([{ ...zoo, allowSubdomains: true }]);
  });

  it('do not contain a domain that was erased', () => {
    expect(domainsAggregate.evolve([farm], { ...recorded(added(zoo)), sealed: 'erased' })).toEqual([farm]);
  });
});

describe('an email address in an organization with restricted domains', () => {
  it.each<[string, boolean]>([
    ['ann@zoo.example', true],
    ['Ann@ZOO.Example', true],
    ['ann@farm.example', true],
    ['ann@barn.farm.example', true],
    ['ann@old.barn.farm.example', true],
    ['ann@lions.zoo.example', false],
    ['ann@myfarm.example', false],
    ['ann@example', false],
    ['ann@zoo.example.com', false],
    ['zoo.example@sea.example', false],
    ['"a@zoo.example"@sea.example', false],
    ['ann+1@zoo.example', false],
    ['ann+1@barn.farm.example', false],
  ])('%s is accepted: %p', (email, may) => {
    expect(withinDomains(both, email).allowed).toBe(may);
    expect(withinDomains([], email).allowed).toBe(false);
  });
});
