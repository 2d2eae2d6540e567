import type { Actor, UserId } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import { DefaultSettingsChanged, OwnSettingsChanged } from '../events';
import { mayChooseForNewcomers } from '../policies';
import type { OpenSettings, OwnSettings } from './settings';
import { DEFAULT_SETTING_NAMES, INITIAL_SETTINGS, OPEN_SETTING_NAMES } from './settings';

/** Stream `own-settings-{user}`: separate from the account, because no permission depends on it. */
export const ownSettingsAggregate = defineAggregate<OwnSettings, OwnSettingsChanged, UserId>(
  'own-settings',
  INITIAL_SETTINGS,
  (settings, { data, sealed }) => ({
    ...settings,
    ...data.settings,
    ...(sealed !== 'erased' && sealed.timezone && { timezone: sealed.timezone.to }),
  }),
);

/** Stream `default-settings-realm`: the settings of new users. */
export const defaultSettingsAggregate = defineAggregate<OwnSettings, DefaultSettingsChanged, 'realm'>(
  'default-settings',
  INITIAL_SETTINGS,
  (settings, { data }) => ({ ...settings, ...data.settings }),
);

/** Changes settings; those that have the value already are left out (contract/users.md section 7). */
export function changeOwnSettings(
  state: OwnSettings,
  userId: UserId,
  wish: Partial<OwnSettings>,
): OwnSettingsChanged[] {
  const { timezone: to = state.timezone, ...others } = wish;
  const { timezone: from } = state;
  const change = changeOf(state, others);
  if (from === to) return change ? [fact(OwnSettingsChanged, { userId, ...change }, {})] : [];
  const open = change ?? { settings: {}, previous: {} };
  return [fact(OwnSettingsChanged, { userId, ...open, timezone: true }, { timezone: { from, to } })];
}

/** Changes the settings of new users; equal values are left out. */
export function changeDefaultSettings(
  state: OwnSettings,
  actor: Pick<Actor, 'role'>,
  wish: Partial<OwnSettings>,
): DefaultSettingsChanged[] {
  ensure(mayChooseForNewcomers(actor));
  const change = changeOf(state, wish);
  return change ? [fact(DefaultSettingsChanged, change)] : [];
}

/** A new user gets the defaults of that time; later changes of the defaults do not apply to them. */
export const beginWith = (userId: UserId, defaults: OwnSettings): OwnSettingsChanged[] =>
  changeOwnSettings(
    INITIAL_SETTINGS,
    userId,
    Object.fromEntries(DEFAULT_SETTING_NAMES.map((name) => [name, defaults[name]])),
  );

function changeOf(state: OpenSettings, wish: Partial<OpenSettings>) {
  const changed = OPEN_SETTING_NAMES.filter((name) => wish[name] !== undefined && wish[name] !== state[name]);
  if (changed.length === 0) return undefined;
  const those = (values: Partial<OpenSettings>) => Object.fromEntries(changed.map((name) => [name, values[name]]));
  return { settings: those(wish), previous: those(state) };
}
