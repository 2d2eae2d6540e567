import type { Actor, Aggregate } from '@annals/kernel/domain';
import { fact, isOwner } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { AuthenticationMethod, MethodChoices } from './authentication-events';
import { AuthenticationMethodsChosen } from './authentication-events';

/** Key and name of the one stream of an organization's ways to log in. */
export const METHODS = 'authentication-methods';

/** What an owner chose. A method without a choice is on. */
export const methodsAggregate: Aggregate<MethodChoices, AuthenticationMethodsChosen, typeof METHODS> = {
  stream: (key) => key,
  initial: {},
  evolve: (state, { data }) => ({ ...state, ...data.changed }),
};

/** Whether the organization allows a method that the server offers. */
export const isMethodOn = (state: MethodChoices, method: AuthenticationMethod): boolean => state[method] ?? true;

/**
 * Turns ways to log in on and off.
 *
 * @param offered those that the server offers the organization
 * @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for a method that is not offered, or when none would be left
 */
export function chooseMethods(
  state: MethodChoices,
  wanted: Readonly<Record<string, boolean>>,
  offered: readonly AuthenticationMethod[],
  by: Pick<Actor, 'role'>,
): AuthenticationMethodsChosen[] {
  if (!isOwner(by)) throw reject.ownersOnly();
  const unknown = Object.keys(wanted).find((name) => !offered.some((method) => method === name));
  if (unknown !== undefined) throw reject.noSuchMethod({ name: unknown, methods: offered });
  const after = Object.fromEntries(offered.map((name) => [name, wanted[name] ?? isMethodOn(state, name)]));
  if (!Object.values(wanted).includes(true) || !Object.values(after).includes(true)) throw reject.noMethodLeft();
  const differs = (name: AuthenticationMethod) =>
    wanted[name] !== undefined && wanted[name] !== isMethodOn(state, name);
  const changed = Object.fromEntries(offered.filter(differs).map((name) => [name, wanted[name]]));
  if (Object.keys(changed).length === 0) return [];
  return [fact(AuthenticationMethodsChosen, { changed, offered: after })];
}
