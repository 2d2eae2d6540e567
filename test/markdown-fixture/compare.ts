import type { NameLookup } from '@annals/markdown';
import { NO_NAMES, render } from '@annals/markdown';

/** A case of Zulip's fixture; only what is used here. */
export interface FixtureCase {
  readonly name: string;
  readonly input: string;
  readonly expected_output: string;
  /** Whether the author has `translate_emoticons` turned on. */
  readonly translate_emoticons?: boolean;
}

/** The address of the organization in Zulip's tests. */
const REALM_URL = 'http://zulip.testserver';

/** The only user whom cases name. The other names in them mean nothing. */
const ZOE = { id: 7, fullName: 'Zoe' };
const user: NameLookup['user'] = ({ name, id }) => (name === ZOE.fullName && id === ZOE.id ? ZOE : undefined);

/** Each case with Zulip's HTML and ours. */
export const comparedWith = (cases: readonly FixtureCase[]) =>
  cases.map(({ name, input, expected_output: theirs, translate_emoticons: emoticons = false }) => ({
    name,
    input,
    theirs,
    ours: render(input, { ...NO_NAMES, user, emoticons, ownUrl: REALM_URL }, { realmUrl: REALM_URL }),
  }));
