import { JsonParam, TextParam, WordParam } from '@annals/web';
import type { OwnSettingName, OwnSettings } from '../domain/settings';
import { DEFAULT_SETTING_NAMES, OWN_SETTING_NAMES, ownSettingOf } from '../domain/settings';

/**
 * Parameters of `PATCH /settings`: the password, and one for each setting that can be changed, declared by the table of
 * settings.
 */
export class ChangeOwnSettingsParams {
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

/** Parameters of `PATCH /realm/user_settings_defaults`. */
export class ChangeDefaultSettingsParams {
  readonly [name: string]: unknown;
}

declareSettings(ChangeOwnSettingsParams, OWN_SETTING_NAMES);
declareSettings(ChangeDefaultSettingsParams, DEFAULT_SETTING_NAMES);

function declareSettings(params: { readonly prototype: object }, names: readonly OwnSettingName[]): void {
  for (const name of names) {
    const { of, words, nullable = false } = ownSettingOf(name);
    const param = words
      ? WordParam(words, { optional: true, quoted: true })
      : JsonParam(of, { optional: true, nullable });
    param(params.prototype, name);
  }
}
