import { Role } from '@annals/kernel/domain';
import type { AuthenticationMethod } from './authentication-events';
import { chooseMethods, isMethodOn, methodsAggregate } from './authentication-methods';

const OFFERED: readonly AuthenticationMethod[] = ['Email', 'SAML', 'JWT'];
const owner = { role: Role.owner };
const choose = (wanted: Record<string, boolean>, state = {}) => chooseMethods(state, wanted, OFFERED, owner);

describe('the ways to log in of an organization', () => {
  it('are all on at first, and change as the owner wants', () => {
    expect(isMethodOn(methodsAggregate.initial, 'SAML')).toBe(true);
    const [chosen] = choose({ Email: false, SAML: true });
    expect(chosen).toMatchObject({
      data: { changed: { Email: false }, offered: { Email: false, SAML: true, JWT: true } },
    });
    const state = methodsAggregate.evolve({}, chosen as never);
    expect(isMethodOn(state, 'Email')).toBe(false);
    expect(isMethodOn(state, 'SAML')).toBe(true);
  });

  it('do not change when everything is as it was', () => {
    expect(choose({ Email: true })).toEqual([]);
    expect(choose({ SAML: true, JWT: false }, { JWT: false })).toEqual([]);
  });

  it.each([
    ['nothing is on among them', { SAML: false }, {}],
    ['no method would be on', { Email: false, SAML: false, JWT: false }, {}],
    ['none is named', {}, {}],
  ])('are refused when %s', (_, wanted, state) => {
    expect(() => choose(wanted, state)).toThrow('At least one authentication method must be enabled.');
  });

  it('have the names that the server offers', () => {
    expect(() => choose({ LDAP: true, Email: true })).toThrow(
      "Invalid authentication method: LDAP. Valid methods are: ['Email', 'JWT', 'SAML']",
    );
    expect(() => choose({ toString: true })).toThrow('Invalid authentication method: toString');
  });

  it('are the choice of owners', () => {
    const choosing = () => chooseMethods({}, { Email: true }, OFFERED, { role: Role.administrator });
    expect(choosing).toThrow('Must be an organization owner');
  });
});
