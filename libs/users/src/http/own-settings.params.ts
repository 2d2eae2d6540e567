import { JsonParam, TextParam, WordParam } from '@annals/web';
import { isEmail } from 'class-validator';
import { MAX_EMAIL } from '../domain/account/names';
import type { OwnAccountPatch } from '../domain/account/own-account';
import type { OwnSettingName, OwnSettings } from '../domain/settings/settings';
import { DEFAULT_SETTING_NAMES, OWN_SETTING_NAMES, ownSettingOf } from '../domain/settings/settings';

/**
 * Parameters of `PATCH /settings`: name, address and password, and one for each setting that can be changed, declared by the table of
 * settings.
 */
export class ChangeOwnSettingsParams {
  @TextParam({ optional: true }) full_name?: string;
  @TextParam({ optional: true, trim: true, max: MAX_EMAIL, is: isEmail, about: 'In force at once.' }) email?: string;
  readonly [name: string]: unknown;
  @TextParam({ optional: true }) old_password?: string;
  @TextParam({ optional: true, about: 'Needs `old_password`; empty for none.' }) new_password?: string;
}

/** The settings that were given. */
export const chosenSettings = (params: ChangeOwnSettingsParams | ChangeDefaultSettingsParams): Partial<OwnSettings> =>
  Object.fromEntries(OWN_SETTING_NAMES.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

/** The change of the password that was asked for, if any. */
export const passwordChange = ({ old_password: old = '', new_password: wished = '' }: ChangeOwnSettingsParams) =>
  wished === '' ? null : { old, wished };

/** The name and the address that were given. */
export const accountPatch = ({ full_name: fullName, email }: ChangeOwnSettingsParams): OwnAccountPatch => ({
  fullName,
  email,
});

/** Parameters of `PATCH /realm/user_settings_defaults`. */
export class ChangeDefaultSettingsParams {
  readonly [name: string]: unknown;
}

declareSettings(ChangeOwnSettingsParams, OWN_SETTING_NAMES);
declareSettings(ChangeDefaultSettingsParams, DEFAULT_SETTING_NAMES);

function paramFor({ of, words, is, nullable }: ReturnType<typeof ownSettingOf>): PropertyDecorator {
  if (words) return WordParam(words, { optional: true, quoted: true });
  if (is) return TextParam({ optional: true, quoted: true, is });
  return JsonParam(of, { optional: true, nullable: nullable ?? false });
}

function declareSettings(params: { readonly prototype: object }, names: readonly OwnSettingName[]): void {
  for (const name of names) {
    paramFor(ownSettingOf(name))(params.prototype, name);
  }
}
