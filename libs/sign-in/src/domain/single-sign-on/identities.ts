import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { IdentityEvent } from './identity-events';
import { IdentityLinked, IdentityUnlinked } from './identity-events';
import { reject } from './sign-on-rejections';

/** How a provider knows somebody for good, whatever their address becomes. */
export interface ProviderIdentity {
  /** The provider by its own name, and the way to log in where that does not say it: `saml:` and `ldap:` come first. */
  readonly issuer: string;
  /** The person, by a name that the provider never gives to another one. */
  readonly subject: string;
}

const OF_DIRECTORY = 'ldap:';

/** A directory as an issuer. */
export const directoryIssuer = (name: string): string => `${OF_DIRECTORY}${name}`;

/** Whether the organization manages the account by this identity: it ends the account of an entry that is gone. */
export const isDirectory = (issuer: string): boolean => issuer.startsWith(OF_DIRECTORY);

/** The identities of an account by issuer. A subject is null once it was erased. */
export type LinkedIdentities = ReadonlyMap<string, string | null>;

export const identitiesAggregate = defineAggregate<LinkedIdentities, IdentityEvent, UserId>(
  'identities',
  new Map(),
  (state, event) => {
    if (event.type === 'sign-in.SignedOn') return state;
    const { issuer } = event.data;
    const others = [...state].filter(([other]) => other !== issuer);
    if (event.type === 'sign-in.IdentityUnlinked') return new Map(others);
    return new Map([...others, [issuer, event.sealed === 'erased' ? null : event.sealed.subject]]);
  },
);

/** Whether this very identity is linked to the account. */
export const isLinked = (state: LinkedIdentities, { issuer, subject }: ProviderIdentity): boolean =>
  state.get(issuer) === subject;

/**
 * Links an identity whose address is verified and that of the account. An account has one identity of a provider: another
 * person of the provider with the same address is somebody who got the address later.
 *
 * @throws Rejected when the account has another identity of this provider
 */
export function linkIdentity(
  state: LinkedIdentities,
  userId: UserId,
  { issuer, subject }: ProviderIdentity,
): IdentityLinked[] {
  if (state.has(issuer)) {
    if (state.get(issuer) === subject) return [];
    throw reject.otherIdentity();
  }
  return [fact(IdentityLinked, { userId, issuer }, { subject })];
}

/** @throws Rejected when the account has no identity of this provider */
export function unlinkIdentity(state: LinkedIdentities, userId: UserId, issuer: string): IdentityUnlinked[] {
  if (!state.has(issuer)) throw reject.noSuchIdentity();
  return [fact(IdentityUnlinked, { userId, issuer })];
}

/**
 * What the person of the account may end: a login of their own. Without its entry the account would outlive the entry.
 *
 * @throws Rejected when the account has no identity of this provider, and for a directory
 */
export function unlinkOwnIdentity(state: LinkedIdentities, userId: UserId, issuer: string): IdentityUnlinked[] {
  const events = unlinkIdentity(state, userId, issuer);
  if (isDirectory(issuer)) throw reject.managedLink();
  return events;
}
