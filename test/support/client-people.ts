import type { Role } from '@annals/kernel/domain';
import { isModerator } from '@annals/kernel/domain';
import type { Person, State } from './client-shapes';
import { flagsOf } from './client-shapes';

/** The address somebody is known by is told under a name of its own (contract/users.md section 6). */
const renamed = ({ new_email, ...change }: Record<string, unknown>) =>
  new_email === undefined ? change : { ...change, email: new_email };

/**
 * What a client does when it is told that an account changed. Addresses of gravatar pictures it makes itself where it
 * knows the real address of the account.
 */
export function changePerson(
  state: State,
  person: Person,
  told: Record<string, unknown>,
  { makesGravatars }: { readonly makesGravatars: boolean },
): void {
  const { avatar_source, avatar_url_medium, ...change } = renamed(told);
  Object.assign(person, change, 'role' in change && flagsOf(change as { role: Role }));
  const isMadeHere = makesGravatars && avatar_source === 'G' && person['delivery_email'] !== null;
  if (isMadeHere) Object.assign(person, { avatar_url: null });
  if (person.user_id !== state.user_id) return;
  if (avatar_source !== undefined) {
    Object.assign(state, { avatar_source, avatar_url_medium, avatar_url: change['avatar_url'] });
  }
  for (const name of ['full_name', 'email', 'delivery_email'] as const) {
    if (name in change) Object.assign(state, { [name]: change[name] });
  }
  if (!('role' in change)) return;
  const { is_owner, is_admin, is_guest } = flagsOf(change as { role: Role });
  Object.assign(state, { is_owner, is_admin, is_guest, is_moderator: isModerator(change as { role: Role }) });
}
