import type { Person, State } from './shapes';

type Change = Readonly<Record<string, unknown>>;

/**
 * The change of a person's object that follows from a change of the person. The model stores the address of a picture. It
 * stores that of a gravatar picture only if it cannot compute it from the person's real address.
 */
export function pictureAfter(change: Change, person: Person, state: State, makesGravatars: boolean): Change {
  if (!('avatar_source' in change)) return change;
  const { avatar_source, avatar_url, avatar_url_medium, avatar_version } = change;
  if (person.user_id === state.user_id) Object.assign(state, { avatar_source, avatar_url, avatar_url_medium });
  const makesIt = makesGravatars && avatar_source === 'G' && person['delivery_email'] !== null;
  return { avatar_version, avatar_url: makesIt ? null : avatar_url };
}
