import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateBot, DeactivateBot } from '../application/bots';
import { GetUser } from '../read/get-users';
import { BOT_DEFAULTS } from '../read/present-bot';
import { avatarUrl } from '../read/present-user';
import { newBotShape } from './shapes';
import { CreateBotParams, DeactivateBotParams } from './users.params';

@Controller()
export class BotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/users.md section 7 */
  @Endpoint('POST', 'bots', {
    audience: 'members',
    section: 'users 7',
    summary: 'Make a bot',
    command: 'CreateBot',
    returns: newBotShape,
  })
  async create(@By() by: Actor, @Params(CreateBotParams) { full_name, short_name, bot_type }: CreateBotParams) {
    const wish = { fullName: full_name, shortName: short_name, type: bot_type };
    const { userId, apiKey } = await this.commands.execute(new CreateBot(by, wish));
    const bot = await this.queries.execute(new GetUser(by, String(userId)));
    return { user_id: userId, api_key: apiKey, avatar_url: avatarUrl(bot), ...BOT_DEFAULTS };
  }

  /** contract/users.md section 7 */
  @Endpoint('DELETE', 'bots/:bot_id', {
    audience: 'anyone',
    section: 'users 7',
    summary: "End a bot's account",
    command: 'DeactivateBot',
    returns: null,
  })
  async deactivate(@By() by: Actor, @Params(DeactivateBotParams) { bot_id }: DeactivateBotParams): Promise<void> {
    await this.commands.execute(new DeactivateBot(by, bot_id));
  }
}
