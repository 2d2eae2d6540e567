import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { IntegerParam, JsonParam, PathId, TextParam } from '@annals/web';

export class CreateBotParams {
  @TextParam() full_name: string;
  @TextParam() short_name: string;
  @IntegerParam({ min: 1, max: 4 }) bot_type: BotType = 1;
}

export class BotParams {
  @PathId() bot_id: UserId;
}

/** contract/users.md section 7 */
export class ChangeBotParams {
  @PathId() bot_id: UserId;
  @TextParam({ optional: true }) full_name?: string;
  @JsonParam(t.Union(ROLES.map((role) => t.Literal(role))), {
    optional: true,
    about: 'Administrators only, who may also change it as that of any other account.',
  })
  role?: Role;
  @IntegerParam({ optional: true, about: 'An active person.' }) bot_owner_id?: UserId;
}
