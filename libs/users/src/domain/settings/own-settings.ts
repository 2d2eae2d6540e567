import type { Actor, Language, UserId } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import { DefaultSettingsChanged, OwnSettingsChanged } from '../events';
import { mayChangeDefaultSettings } from '../policies';
import type { OpenSettings, OwnSettings } from './settings';
import { DEFAULT_SETTING_NAMES, INITIAL_SETTINGS, OPEN_SETTING_NAMES } from './settings';

/** The settings of a user as rules need them. */
export interface OwnSettingsState {
  readonly settings: OwnSettings;
  /** Settings that the user has changed, without changes by an administrator. */
  readonly edited: ReadonlySet<string>;
}

/** Stream `own-settings-{user}`: separate from the account, because no permission depends on it. */
export const ownSettingsAggregate = defineAggregate<OwnSettingsState, OwnSettingsChanged, UserId>(
  'own-settings',
  { settings: INITIAL_SETTINGS, edited: new Set() },
  ({ settings, edited }, { data, sealed, actorId }) => ({
    settings: {
      ...settings,
      ...data.settings,
      ...(sealed !== 'erased' && sealed.timezone && { timezone: sealed.timezone.to }),
    },
    edited: actorId === data.userId ? new Set([...edited, ...Object.keys(data.settings)]) : edited,
  }),
);

/** Stream `default-settings-realm`: the settings of new users. */
export const defaultSettingsAggregate = defineAggregate<OwnSettings, DefaultSettingsChanged, 'realm'>(
  'default-settings',
  INITIAL_SETTINGS,
  (settings, { data }) => ({ ...settings, ...data.settings }),
);

/** Changes settings. Those that have the value already are left out (contract/users.md section 7). */
export function changeOwnSettings(
  { settings: state }: Pick<OwnSettingsState, 'settings'>,
  userId: UserId,
  input: Partial<OwnSettings>,
): OwnSettingsChanged[] {
  const { timezone: to = state.timezone, ...others } = input;
  const { timezone: from } = state;
  const change = changeOf(state, others);
  if (from === to) return change ? [fact(OwnSettingsChanged, { userId, ...change }, {})] : [];
  const open = change ?? { settings: {}, previous: {} };
  return [fact(OwnSettingsChanged, { userId, ...open, timezone: true }, { timezone: { from, to } })];
}

/**
 * Changes settings of a user by an administrator. Equal values are left out.
 *
 * @param skipEdited whether settings that the user has changed are left out
 */
export function changeSettingsOf(
  state: OwnSettingsState,
  userId: UserId,
  input: Partial<OwnSettings>,
  skipEdited: boolean,
): OwnSettingsChanged[] {
  const applies = ([name]: [string, unknown]) => !(skipEdited && state.edited.has(name));
  return changeOwnSettings(state, userId, Object.fromEntries(Object.entries(input).filter(applies)));
}

/** Changes the settings of new users. Equal values are left out. */
export function changeDefaultSettings(
  state: OwnSettings,
  actor: Pick<Actor, 'role'>,
  input: Partial<OwnSettings>,
): DefaultSettingsChanged[] {
  ensure(mayChangeDefaultSettings(actor));
  const change = changeOf(state, input);
  return change ? [fact(DefaultSettingsChanged, change)] : [];
}

/**
 * A new user gets the defaults of that time. Later changes of the defaults do not apply to them.
 *
 * @param language that of the organization
 */
export const beginWith = (userId: UserId, defaults: OwnSettings, language: Language): OwnSettingsChanged[] =>
  changeOwnSettings({ settings: INITIAL_SETTINGS }, userId, {
    ...Object.fromEntries(DEFAULT_SETTING_NAMES.map((name) => [name, defaults[name]])),
    default_language: language,
  });

/** Whether a change turns off that drafts are synchronized. */
export const endsDraftsSynchronization = (changes: readonly OwnSettingsChanged[]): boolean =>
  changes.some(({ data }) => data.settings.enable_drafts_synchronization === false);

function changeOf(state: OpenSettings, input: Partial<OpenSettings>) {
  const changed = OPEN_SETTING_NAMES.filter((name) => input[name] !== undefined && input[name] !== state[name]);
  if (changed.length === 0) return undefined;
  const those = (values: Partial<OpenSettings>) => Object.fromEntries(changed.map((name) => [name, values[name]]));
  return { settings: those(input), previous: those(state) };
}
