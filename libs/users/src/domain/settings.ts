import type { Static, TSchema } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { AddressVisibility, addressVisibility } from './address-visibility';

interface OwnSetting {
  /** What may be its value, as JSON. */
  readonly of: TSchema;
  /** Its value until its owner chooses another. */
  readonly initially: unknown;
}

/** When a topic changes by itself: whatever its reader does in it, sending, beginning it, never. */
const occasion = t.Union([t.Literal(1), t.Literal(2), t.Literal(3), t.Literal(4)]);

/**
 * The settings that people can change for themselves (contract/boot.md section 6). A line here makes one changeable by
 * `PATCH /settings` and tells clients of it; whoever acts by it asks `OwnSettingsFacts`.
 */
export const OWN_SETTINGS = {
  automatically_follow_topics_policy: { of: occasion, initially: 3 },
  automatically_follow_topics_where_mentioned: { of: t.Boolean(), initially: true },
  automatically_unmute_topics_in_muted_streams_policy: { of: occasion, initially: 2 },
  email_address_visibility: { of: addressVisibility, initially: AddressVisibility.everyone },
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
