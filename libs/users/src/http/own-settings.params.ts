import { JsonParam, TextParam, WordParam } from '@annals/web';
import { isEmail } from 'class-validator';
import { MAX_EMAIL } from '../domain/names';
import type { OwnSettingName, OwnSettings } from '../domain/settings';
import { DEFAULT_SETTING_NAMES, OWN_SETTING_NAMES, ownSettingOf } from '../domain/settings';

/** Parameters of `PATCH /settings`: one for each setting that can be changed, declared by the table of settings. */
export class ChangeOwnSettingsParams {
  @TextParam({ optional: true }) full_name?: string;
  @TextParam({ optional: true, trim: true, max: MAX_EMAIL, is: isEmail, about: 'In force at once.' }) email?: string;
  readonly [name: string]: unknown;
}

/** Parameters of `PATCH /realm/user_settings_defaults`. */
export class ChangeDefaultSettingsParams {
  readonly [name: string]: unknown;
}

declareSettings(ChangeOwnSettingsParams, OWN_SETTING_NAMES);
declareSettings(ChangeDefaultSettingsParams, DEFAULT_SETTING_NAMES);

/** The settings among the parameters. */
export const chosenSettings = (params: ChangeOwnSettingsParams): Partial<OwnSettings> =>
  Object.fromEntries(OWN_SETTING_NAMES.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

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
