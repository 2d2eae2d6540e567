import type { Role, Static, UserId } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { AsOfParams, BooleanParam, IntegersParam, JsonParam, PathId, PathText, TextParam } from '@annals/web';
import { isEmail } from 'class-validator';
import type { AccountPatch } from '../domain/account/account';
import type { DeletedParts } from '../domain/account/account-lifecycle';
import { MAX_EMAIL } from '../domain/account/names';
import type { WireValues } from './profile-fields.params';
import { profileValues, toValuePatches, withoutEmpty } from './profile-fields.params';

export class GetUsersParams extends AsOfParams {
  @BooleanParam() client_gravatar = true;
  @BooleanParam() include_custom_profile_fields = false;
  @IntegersParam({ optional: true }) user_ids?: readonly number[];
}

export class GetUserParams extends AsOfParams {
  @PathText({ min: 1 }) user: string;
  @BooleanParam() client_gravatar = true;
  @BooleanParam() include_custom_profile_fields = false;
}

export class GetOwnUserParams {
  @BooleanParam() client_gravatar = false;
  @BooleanParam() include_custom_profile_fields = true;
}

/** contract/users.md section 4 */
export class UpdateUserParams {
  @PathText({ min: 1 }) user: string;
  @TextParam({ optional: true }) full_name?: string;
  @JsonParam(t.Union(ROLES.map((role) => t.Literal(role))), { optional: true }) role?: Role;
  @JsonParam(profileValues, { about: 'Values of custom profile fields; an empty one takes away what is there.' })
  profile_data: WireValues = [];
  @TextParam({ optional: true, trim: true, max: MAX_EMAIL, is: isEmail, about: 'Owners with the special permission.' })
  new_email?: string;
}

/** @throws Rejected BAD_REQUEST for values that no field can have */
export function toAccountPatch(params: UpdateUserParams): AccountPatch {
  const { full_name: fullName, role, profile_data: values, new_email: email } = params;
  return { fullName, role, email, profileData: withoutEmpty(toValuePatches(values)) };
}

const parts = t.Object(
  {
    delete_profile: t.Optional(t.Boolean()),
    delete_public_channel_messages: t.Optional(t.Boolean()),
    delete_private_channel_messages: t.Optional(t.Boolean()),
    delete_direct_messages: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);

/** contract/users.md section 5 */
export class DeactivateUserParams {
  @PathId() user_id: UserId;
  @JsonParam(parts, { about: 'What is to be deleted, of the bots that end with the account too.' })
  actions: Static<typeof parts> = {};
  @TextParam({
    optional: true,
    trim: true,
    max: 2_000,
    about: 'The person gets a mail with this text, which may be empty.',
  })
  deactivation_notification_comment?: string;
}

export const toDeletions = ({ actions }: Pick<DeactivateUserParams, 'actions'>): DeletedParts => ({
  profile: actions.delete_profile ?? false,
  inPublicChannels: actions.delete_public_channel_messages ?? false,
  inPrivateChannels: actions.delete_private_channel_messages ?? false,
  direct: actions.delete_direct_messages ?? false,
});

export class FetchApiKeyParams {
  /** An email, or a name that a directory knows. */
  @TextParam({ trim: true, max: 320 }) username: string;
  @TextParam() password: string;
}
