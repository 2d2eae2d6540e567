import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, JsonParam, PathId, TextParam } from '@annals/web';
import type { NamedDefaults } from '../application/bot/bot-defaults';
import type { BotInput } from '../application/bot/bots';
import type { BotPatch } from '../application/bot/change-bot';

/** Values of a service by their keys. */
const CONFIGURATION = t.Record(t.String(), t.String());

const FORMAT = 'Of an outgoing webhook: 1 for the generic format, 2 for that of Slack.';

const CHANNEL = 'Name of a channel whose messages the caller may read; empty for none.';

export class CreateBotParams {
  @TextParam() full_name: string;
  @TextParam() short_name: string;
  @IntegerParam({ min: 1, max: 4 }) bot_type: BotType = 1;
  @TextParam({ optional: true, about: 'Of an embedded bot: its program. Left out, it is the short name.' })
  service_name?: string;
  @JsonParam(CONFIGURATION, { optional: true, about: 'Empty, because no program has any.' })
  config_data?: Readonly<Record<string, string>>;
  @TextParam({
    optional: true,
    quoted: true,
    about: 'Of an outgoing webhook: the URL that gets what users ask the bot.',
  })
  payload_url?: string;
  @IntegerParam({ optional: true, about: FORMAT }) interface_type?: number;
  @TextParam({ optional: true, about: CHANNEL }) default_sending_stream?: string;
  @TextParam({ optional: true, about: CHANNEL }) default_events_register_stream?: string;
  @BooleanParam({ optional: true }) default_all_public_streams?: boolean;
}

type Defaults = Pick<
  CreateBotParams,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
>;

/** The default channels of a bot in the request. */
const namedDefaults = (p: Defaults): NamedDefaults => ({
  sendingChannel: p.default_sending_stream,
  eventsChannel: p.default_events_register_stream,
  allPublicChannels: p.default_all_public_streams,
});

/** A new bot as the request describes it. */
export const botInput = (p: CreateBotParams): BotInput => ({
  fullName: p.full_name,
  shortName: p.short_name,
  type: p.bot_type,
  defaults: namedDefaults(p),
  service: { name: p.service_name, config: p.config_data ?? {} },
  webhook: { url: p.payload_url, format: p.interface_type },
});

export class BotParams {
  @PathId() bot_id: UserId;
}

/** contract/users.md section 7 */
export class ChangeBotParams {
  @PathId() bot_id: UserId;
  @TextParam({ optional: true }) full_name?: string;
  @TextParam({ optional: true, about: 'Gives the bot the address that a new one with it would have.' })
  short_name?: string;
  @JsonParam(t.Union(ROLES.map((role) => t.Literal(role))), {
    optional: true,
    about: 'Administrators only, who may also change it as that of any other account.',
  })
  role?: Role;
  @IntegerParam({ optional: true, about: 'An active person.' }) bot_owner_id?: UserId;
  @JsonParam(CONFIGURATION, { optional: true, about: 'Empty, because no program has any.' })
  config_data?: Readonly<Record<string, string>>;
  @TextParam({ optional: true, quoted: true, about: 'The URL that gets what users ask the bot.' })
  service_payload_url?: string;
  @IntegerParam({ optional: true, about: FORMAT }) service_interface?: number;
  @TextParam({ optional: true, about: CHANNEL }) default_sending_stream?: string;
  @TextParam({ optional: true, about: CHANNEL }) default_events_register_stream?: string;
  @BooleanParam({ optional: true }) default_all_public_streams?: boolean;
}

/** The changes of a bot in the request. */
export const botPatch = (p: ChangeBotParams): BotPatch => ({
  fullName: p.full_name,
  shortName: p.short_name,
  config: p.config_data,
  role: p.role,
  ownerId: p.bot_owner_id,
  webhook: { url: p.service_payload_url, format: p.service_interface },
  defaults: namedDefaults(p),
});

/** The webhook in the request, which the answer repeats. */
export const webhookOf = ({ service_payload_url, service_interface }: ChangeBotParams) => ({
  ...(service_payload_url !== undefined && { service_payload_url }),
  ...(service_interface !== undefined && { service_interface }),
});
