import { createHash } from 'node:crypto';
import { Role } from '@annals/kernel/domain';
import { mailDomain } from '@annals/realm';
import type { Person, State } from './shapes';
import { flagsOf, forget } from './shapes';

/** A user is new or became visible: the event replaces what was known. */
export function arrived(state: State, { is_active, ...shown }: Person): void {
  remove(state, shown.user_id);
  state[is_active === false ? 'realm_non_active_users' : 'realm_users'].push(shown);
  if (is_active === false) forget(state, shown.user_id);
}

/** Only restricted guests receive this; a placeholder stays, unless the list may be incomplete. */
export function outOfSight(state: State, { user_id }: Person, knowsGaps: boolean): void {
  remove(state, user_id);
  if (!knowsGaps) state.realm_users.push(unknownPerson(user_id, state));
}

function remove(state: State, user: number): void {
  for (const list of ['realm_users', 'realm_non_active_users'] as const) {
    state[list] = state[list].filter(({ user_id }) => user_id !== user);
  }
}

/** The placeholder of a hidden user for a guest (contract/realtime.md section 2.1). It reveals only the id. */
function unknownPerson(user_id: number, { realm_url }: State): Person {
  const email = `user${user_id}@${mailDomain(realm_url as string)}`;
  const picture = createHash('md5').update(email).digest('hex');
  return {
    user_id,
    email,
    delivery_email: null,
    full_name: 'Unknown user',
    date_joined: '1970-01-01T00:00+00:00',
    ...flagsOf({ role: Role.member }),
    is_bot: false,
    role: Role.member,
    bot_type: null,
    bot_owner_id: null,
    timezone: '',
    avatar_url: `https://secure.gravatar.com/avatar/${picture}?d=identicon&version=1`,
    avatar_version: 1,
    is_imported_stub: false,
    profile_data: {},
  };
}

/** Users in settings whom a guest may not see. */
export function unknownIn({ is_guest, realm_users, ...settings }: State): number[] {
  const known = realm_users.flatMap(({ user_id, full_name }) => (full_name === 'Unknown user' ? [] : [user_id]));
  return is_guest ? namedIn(settings).filter((user) => !known.includes(user)) : [];
}

function namedIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'direct_members' ? (inner as number[]) : namedIn(inner),
  );
}
