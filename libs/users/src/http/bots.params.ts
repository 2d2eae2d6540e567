import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, JsonParam, PathId, TextParam } from '@annals/web';
import type { NamedDefaults } from '../application/bot/bot-defaults';

const CHANNEL = 'Name of a channel whose messages the caller may read; empty for none.';

export class CreateBotParams {
  @TextParam() full_name: string;
  @TextParam() short_name: string;
  @IntegerParam({ min: 1, max: 4 }) bot_type: BotType = 1;
  @TextParam({ optional: true, about: CHANNEL }) default_sending_stream?: string;
  @TextParam({ optional: true, about: CHANNEL }) default_events_register_stream?: string;
  @BooleanParam({ optional: true }) default_all_public_streams?: boolean;
}

type Defaults = Pick<
  CreateBotParams,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
>;

/** The default channels of a bot in the request. */
export const namedDefaults = (p: Defaults): NamedDefaults => ({
  sendingChannel: p.default_sending_stream,
  eventsChannel: p.default_events_register_stream,
  allPublicChannels: p.default_all_public_streams,
});

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
  @TextParam({ optional: true, about: CHANNEL }) default_sending_stream?: string;
  @TextParam({ optional: true, about: CHANNEL }) default_events_register_stream?: string;
  @BooleanParam({ optional: true }) default_all_public_streams?: boolean;
}
