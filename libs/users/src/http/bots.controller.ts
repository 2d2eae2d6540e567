import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateBot, DeactivateBot } from '../application/bot/bots';
import { IssueBotKey, RenewBotKey } from '../application/bot/bot-keys';
import { ChangeBot } from '../application/bot/change-bot';
import { avatarUrl } from '../read/profile/avatar';
import { GetOwnBots } from '../read/bot/get-own-bots';
import { GetUser } from '../read/account/get-users';
import { BotChannels } from '../read/bot/bot-channels.port';
import { channelsOf, presentChangedBot, presentDefaults, presentOwnBot } from '../read/bot/present-bot';
import type { UserRow } from '../read/account/user-row';
import { Viewers } from '../read/account/viewer';
import { AVATAR_LIMIT } from './avatar-limit';
import { BotParams, ChangeBotParams, CreateBotParams, botInput, botPatch, webhookOf } from './bots.params';
import { changedBotShape, newBotShape, ownBotShape } from './shapes';

@Controller()
export class BotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
    private readonly channels: BotChannels,
  ) {}

  /** contract/users.md section 7 */
  @Endpoint('GET', 'bots', {
    audience: 'members',
    section: 'users 7',
    summary: 'Own bots',
    returns: t.Object({ bots: t.Array(ownBotShape) }),
  })
  async list(@By() by: Actor) {
    const viewer = await this.viewers.of(by);
    const bots = await this.queries.execute(new GetOwnBots(by));
    const names = await this.namesFor(by, bots);
    return { bots: bots.map((bot) => presentOwnBot(bot, names, viewer)) };
  }

  /** contract/users.md section 7 */
  @Endpoint('POST', 'bots', {
    audience: 'members',
    section: 'users 7',
    summary: 'Make a bot',
    command: 'CreateBot',
    files: AVATAR_LIMIT,
    returns: newBotShape,
  })
  async create(@By() by: Actor, @Params(CreateBotParams) p: CreateBotParams, @Info() { attached }: RequestInfo) {
    const { userId, apiKey } = await this.commands.execute(new CreateBot(by, botInput(p), attached));
    const bot = await this.queries.execute(new GetUser(by, String(userId)));
    const avatar_url = avatarUrl(bot, await this.viewers.of(by));
    return { user_id: userId, api_key: apiKey, avatar_url, ...presentDefaults(bot, await this.namesFor(by, [bot])) };
  }

  /** contract/users.md section 7 */
  @Endpoint('PATCH', 'bots/:bot_id', {
    audience: 'anyone',
    section: 'users 7',
    summary: 'Change a bot',
    command: 'ChangeBot',
    files: AVATAR_LIMIT,
    returns: changedBotShape,
  })
  async change(@By() by: Actor, @Params(ChangeBotParams) p: ChangeBotParams, @Info() { attached }: RequestInfo) {
    await this.commands.execute(new ChangeBot(by, p.bot_id, botPatch(p), attached));
    const bot = await this.queries.execute(new GetUser(by, String(p.bot_id)));
    const owner = bot.botOwnerId === null ? null : await this.queries.execute(new GetUser(by, String(bot.botOwnerId)));
    const changed = presentChangedBot(bot, owner, await this.namesFor(by, [bot]), await this.viewers.of(by));
    return { ...changed, ...webhookOf(p) };
  }

  /** contract/users.md section 7 */
  @Endpoint('POST', 'bots/:bot_id/api_key/regenerate', {
    audience: 'anyone',
    section: 'users 7',
    summary: 'Give a bot another key',
    command: 'RenewBotKey',
    evenIfFull: true,
    returns: t.Object({ api_key: t.String() }),
  })
  async renewKey(@By() by: Actor, @Params(BotParams) { bot_id }: BotParams) {
    return { api_key: await this.commands.execute(new RenewBotKey(by, bot_id)) };
  }

  /**
   * contract/whole-interface.md section 1. Keys are stored as digests, so the answer is a new key, and those that are used
   * remain valid (decision 46).
   */
  @Endpoint('GET', 'bots/:bot_id/api_key', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Get a key of a bot',
    command: 'IssueBotKey',
    returns: t.Object({ api_key: t.String() }),
  })
  async key(@By() by: Actor, @Params(BotParams) { bot_id }: BotParams) {
    return { api_key: await this.commands.execute(new IssueBotKey(by, bot_id)) };
  }

  /** contract/users.md section 7 */
  @Endpoint('DELETE', 'bots/:bot_id', {
    audience: 'anyone',
    section: 'users 7',
    summary: "End a bot's account",
    command: 'DeactivateBot',
    evenIfFull: true,
    returns: null,
  })
  async deactivate(@By() by: Actor, @Params(BotParams) { bot_id }: BotParams): Promise<void> {
    await this.commands.execute(new DeactivateBot(by, bot_id));
  }

  private readonly namesFor = (by: Actor, bots: readonly UserRow[]) =>
    this.channels.namesOf(by.realmId, channelsOf(bots));
}
