import type { Role } from '@annals/kernel/domain';
import { isModerator } from '@annals/kernel/domain';
import { pictureAfter } from './pictures';
import type { Person, State } from './shapes';
import { flagsOf } from './shapes';

type PersonChange = Readonly<Record<string, unknown>>;

/** The visible email has a property of its own in events (contract/users.md section 6). */
const renamed = ({ new_email, ...change }: PersonChange): PersonChange =>
  new_email === undefined ? change : { ...change, email: new_email };

/** Applies a change of an account. */
export function changePerson(state: State, person: Person, received: PersonChange, makesGravatars: boolean): void {
  const change = pictureAfter(renamed(received), person, state, makesGravatars);
  Object.assign(person, change, 'role' in change && flagsOf(change as { role: Role }));
  if (person.user_id !== state.user_id) return;
  for (const name of ['full_name', 'email', 'delivery_email'] as const) {
    if (name in change) Object.assign(state, { [name]: change[name] });
  }
  if (!('role' in change)) return;
  const { is_owner, is_admin, is_guest } = flagsOf(change as { role: Role });
  Object.assign(state, { is_owner, is_admin, is_guest, is_moderator: isModerator(change as { role: Role }) });
}
