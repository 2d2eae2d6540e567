import type { Role, Static, UserId } from '@annals/kernel/domain';
import { ROLES, rejection, t } from '@annals/kernel/domain';
import { BooleanParam, IntegersParam, JsonParam, PathId, PathText, TextParam } from '@annals/web';
import { isEmail } from 'class-validator';
import type { AccountWish } from '../domain/account';
import type { UserRow } from '../read/user-row';
import type { WireValues } from './profile-fields.params';
import { profileValues, toValueWishes, withoutEmpty } from './profile-fields.params';

const reject = {
  addressIsFixed: rejection('BAD_REQUEST', 'The address of an account cannot be changed on this server'),
  deletionUnsupported: rejection(
    'BAD_REQUEST',
    'Messages and profiles cannot be deleted with an account on this server',
  ),
};

export class GetUsersParams {
  @BooleanParam() client_gravatar = true;
  @BooleanParam() include_custom_profile_fields = false;
  @IntegersParam({ optional: true }) user_ids?: readonly number[];
}

export class GetUserParams {
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
  @TextParam({
    optional: true,
    trim: true,
    about: 'Addresses cannot be changed yet: any other than the present one is refused.',
  })
  new_email?: string;
}

/**
 * Somebody who gives a new address must not think that it was taken.
 *
 * @throws Rejected BAD_REQUEST for a change that cannot be made yet
 */
export function toAccountWish(
  params: UpdateUserParams,
  { deliveryEmail }: Pick<UserRow, 'deliveryEmail'>,
): AccountWish {
  const { full_name: fullName, role, profile_data: values, new_email: email } = params;
  if (email !== undefined && email !== deliveryEmail) throw reject.addressIsFixed();
  return { fullName, role, profileData: withoutEmpty(toValueWishes(values)) };
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
  @JsonParam(parts, { about: 'Nothing can be deleted yet: a part that is true is refused.' })
  actions: Static<typeof parts> = {};
  @TextParam({ optional: true, max: 2_000, noEffect: true, about: 'For a letter to the person.' })
  deactivation_notification_comment?: string;
}

/**
 * Who asks for things to be deleted must not think that they are.
 *
 * @throws Rejected BAD_REQUEST when more is asked for than the end of the account
 */
export function ensureNothingDeleted({ actions }: DeactivateUserParams): void {
  if (Object.values(actions).includes(true)) throw reject.deletionUnsupported();
}

export class FetchApiKeyParams {
  @TextParam({ trim: true, is: isEmail }) username: string;
  @TextParam() password: string;
}
