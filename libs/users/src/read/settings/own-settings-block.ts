import type { RegisterBlock } from '@annals/kernel';
import type { OWN_SETTINGS } from '../../domain/settings/settings';
import { INITIAL_SETTINGS, NOTIFICATION_SOUNDS } from '../../domain/settings/settings';
import { readDefaultSettings, readOwnSettings } from './own-settings';

const EMOJI_SETS: Readonly<Record<(typeof OWN_SETTINGS)['emojiset']['words'][number], string>> = {
  google: 'Google',
  'google-blob': 'Google blobs',
  twitter: 'Twitter',
  text: 'Plain text',
};

/** Settings of a person who has changed none (contract/boot.md section 6). */
const DEFAULTS = {
  emojiset_choices: Object.entries(EMOJI_SETS).map(([key, text]) => ({ key, text })),
  available_notification_sounds: NOTIFICATION_SOUNDS,
  ...INITIAL_SETTINGS,
} as const;

/** No default for the time zone: nobody chooses it for others. */
const { timezone: _, ...FOR_NEWCOMERS } = DEFAULTS;

/** The actor's own settings, and the defaults for new users (contract/boot.md sections 4.1 and 6). */
export const ownSettingsRegisterBlock: RegisterBlock = {
  keys: ['user_settings', 'realm_user_settings_defaults'],
  async read({ client, realmId }, { userId }, { keys }) {
    const state: Record<string, unknown> = {};
    if (keys.has('realm_user_settings_defaults')) {
      state['realm_user_settings_defaults'] = { ...FOR_NEWCOMERS, ...(await readDefaultSettings(client, realmId)) };
    }
    if (keys.has('user_settings')) {
      const chosen = (await readOwnSettings(client, realmId, [userId])).get(userId);
      state['user_settings'] = { ...DEFAULTS, ...chosen };
    }
    return state;
  },
};
