import type { GroupId, Static, UserId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { JsonParam, TextParam, WordParam } from '@annals/web';
import { isEmail } from 'class-validator';
import type { Targets } from '../application/change-settings-of-users';
import { MAX_EMAIL } from '../domain/account/names';
import type { OwnAccountPatch } from '../domain/account/own-account';
import { reject } from '../domain/rejections';
import type { OwnSettingName, OwnSettings } from '../domain/settings/settings';
import { DEFAULT_SETTING_NAMES, OWN_SETTING_NAMES, ownSettingOf } from '../domain/settings/settings';

/** Ids in one list. */
const MAX_IDS = 5_000;

const ids = t.Optional(t.Array(t.Integer(), { maxItems: MAX_IDS }));
const targetUsers = t.Object({ user_ids: ids, group_ids: ids, skip_if_already_edited: t.Boolean() });

/**
 * Parameters of `PATCH /settings`: name, email and password, and one for each setting that can be changed, declared by
 * the table of settings.
 */
export class ChangeOwnSettingsParams {
  @TextParam({ optional: true }) full_name?: string;
  @TextParam({
    optional: true,
    trim: true,
    max: MAX_EMAIL,
    is: isEmail,
    about: 'In force when the link of a mail to it is followed.',
  })
  email?: string;
  readonly [name: string]: unknown;
  @TextParam({ optional: true }) old_password?: string;
  @TextParam({ optional: true, about: 'Needs `old_password`; empty for none.' }) new_password?: string;
  @JsonParam(targetUsers, { optional: true, about: 'Administrators change the settings of these users instead.' })
  target_users?: Static<typeof targetUsers>;
}

/** The settings in the request. */
export const chosenSettings = (params: ChangeOwnSettingsParams | ChangeDefaultSettingsParams): Partial<OwnSettings> =>
  Object.fromEntries(OWN_SETTING_NAMES.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

/** The requested change of the password, if any. */
export const passwordChange = ({ old_password: old = '', new_password: requested = '' }: ChangeOwnSettingsParams) =>
  requested === '' ? null : { old, requested };

/**
 * The users whose settings are changed. Null for the actor.
 *
 * @throws Rejected BAD_REQUEST if the request also changes what users change for themselves only
 */
export function targetsOf(params: ChangeOwnSettingsParams): Targets | null {
  const { target_users: targets, full_name, email, old_password, new_password } = params;
  if (!targets) return null;
  if ([full_name, email, old_password, new_password].some((own) => own !== undefined)) throw reject.notForOthers();
  return {
    userIds: (targets.user_ids ?? []) as UserId[],
    groupIds: (targets.group_ids ?? []) as GroupId[],
    skipEdited: targets.skip_if_already_edited,
  };
}

/** The name and the email in the request. */
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
