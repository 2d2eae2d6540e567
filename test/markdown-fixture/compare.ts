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

/** Each case with Zulip's HTML and ours. The cases name no users, channels or linkifiers. */
export const comparedWith = (cases: readonly FixtureCase[]) =>
  cases.map(({ name, input, expected_output: theirs, translate_emoticons: emoticons = false }) => ({
    name,
    input,
    theirs,
    ours: render(input, { ...NO_NAMES, emoticons, ownUrl: REALM_URL }, { realmUrl: REALM_URL }),
  }));
