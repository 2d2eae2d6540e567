import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { OwnSettingsChanged } from './events';
import type { OwnSettings } from './settings';
import { INITIAL_SETTINGS, OWN_SETTING_NAMES } from './settings';

/** Stream `own-settings-{user}`: apart from the account's own, because nothing that somebody may do rests on it. */
export const ownSettingsAggregate = defineAggregate<OwnSettings, OwnSettingsChanged, UserId>(
  'own-settings',
  INITIAL_SETTINGS,
  (settings, { data }) => ({ ...settings, ...data.settings }),
);

/** Changes settings; those that have the value already are left out (contract/users.md section 7). */
export function changeOwnSettings(
  state: OwnSettings,
  userId: UserId,
  wish: Partial<OwnSettings>,
): OwnSettingsChanged[] {
  const changed = OWN_SETTING_NAMES.filter((name) => wish[name] !== undefined && wish[name] !== state[name]);
  if (changed.length === 0) return [];
  const those = (values: Partial<OwnSettings>) => Object.fromEntries(changed.map((name) => [name, values[name]]));
  return [fact(OwnSettingsChanged, { userId, settings: those(wish), previous: those(state) })];
}
