import { JsonParam, WordParam } from '@annals/web';
import type { OwnSettingName } from '../domain/settings';
import { DEFAULT_SETTING_NAMES, OWN_SETTING_NAMES, ownSettingOf } from '../domain/settings';

/** Parameters of `PATCH /settings`: one for each setting that can be changed, declared by the table of settings. */
export class ChangeOwnSettingsParams {
  readonly [name: string]: unknown;
}

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
