import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, IntegersParam, JsonParam, PathId, PathText, TextParam } from '@annals/web';
import { isEmail } from 'class-validator';

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

export class UpdateUserParams {
  @PathText({ min: 1 }) user: string;
  @TextParam({ optional: true }) full_name?: string;
  @JsonParam(t.Union(ROLES.map((role) => t.Literal(role))), { optional: true }) role?: Role;
}

export class DeactivateUserParams {
  @PathId() user_id: UserId;
}

export class CreateBotParams {
  @TextParam() full_name: string;
  @TextParam() short_name: string;
  @IntegerParam({ min: 1, max: 4 }) bot_type: BotType = 1;
}

export class DeactivateBotParams {
  @PathId() bot_id: UserId;
}

export class FetchApiKeyParams {
  @TextParam({ trim: true, is: isEmail }) username: string;
  @TextParam() password: string;
}
