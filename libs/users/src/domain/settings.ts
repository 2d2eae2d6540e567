import type { Static, TSchema } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';

interface OwnSetting {
  /** What may be its value, as JSON. */
  readonly of: TSchema;
  /** Its value until its owner chooses another. */
  readonly initially: unknown;
}

/**
 * The settings that people can change for themselves (contract/boot.md section 6). A line here makes one changeable by
 * `PATCH /settings` and tells clients of it; whoever acts by it asks `OwnSettingsFacts`.
 */
export const OWN_SETTINGS = {
  receives_typing_notifications: { of: t.Boolean(), initially: true },
  send_private_typing_notifications: { of: t.Boolean(), initially: true },
  send_stream_typing_notifications: { of: t.Boolean(), initially: true },
} as const satisfies Readonly<Record<string, OwnSetting>>;

export type OwnSettingName = keyof typeof OWN_SETTINGS;
export type OwnSettings = { readonly [Name in OwnSettingName]: Static<(typeof OWN_SETTINGS)[Name]['of']> };
export const OWN_SETTING_NAMES = Object.keys(OWN_SETTINGS) as readonly OwnSettingName[];

/** The settings of somebody who has changed none. */
export const INITIAL_SETTINGS = Object.fromEntries(
  OWN_SETTING_NAMES.map((name) => [name, OWN_SETTINGS[name].initially]),
) as unknown as OwnSettings;

/** Schema of some settings inside an event. */
export const ownSettingsSchema = t.Unsafe<Partial<OwnSettings>>(
  t.Object(Object.fromEntries(OWN_SETTING_NAMES.map((name) => [name, t.Optional(OWN_SETTINGS[name].of)])), {
    additionalProperties: false,
  }),
);
