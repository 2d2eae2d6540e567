import type { Work } from '@annals/kernel';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, BotType, UserId } from '@annals/kernel/domain';
import { Role, ensure } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain, realmAggregate } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { NewAccount } from '../../domain/account/account';
import { acquireBot, deactivateBot, known, userAggregate } from '../../domain/account/account';
import { issueKey } from '../../domain/sign-in/keys';
import { avatarChanged } from '../../domain/profile/avatar';
import { botDefaultsChanged } from '../../domain/account/bot';
import type { BotProgram } from '../../domain/account/bot-programs';
import type { ServiceInput } from '../../domain/account/bot-service';
import { botProgramAggregate, chooseProgram, requestedProgram } from '../../domain/account/bot-service';
import type { BotWebhook, WebhookInput } from '../../domain/account/bot-webhook';
import { botWebhookAggregate, chooseWebhook, requestedWebhook } from '../../domain/account/bot-webhook';
import { botEmail } from '../../domain/account/names';
import { mayCreateBot } from '../../domain/policies';
import { ApiKeys, unguessable } from '../sign-in/api-keys';
import { BotChannels } from '../../read/bot/bot-channels.port';
import { botTokenSecret } from '../../read/bot/bot-webhooks';
import { Avatars } from '../profile/avatars';
import type { NamedDefaults } from './bot-defaults';
import { foundDefaults } from './bot-defaults';
import { stillActive } from '../guards';
import { NewAccounts } from '../account/new-accounts';

export interface BotInput {
  readonly fullName: string;
  readonly shortName: string;
  readonly type: BotType;
  readonly defaults?: NamedDefaults;
  readonly service?: ServiceInput;
  readonly webhook?: WebhookInput;
}

/** The same with its email, and the service of bots that have one. */
interface CheckedInput extends Omit<BotInput, 'webhook'> {
  readonly email: string;
  readonly program: BotProgram | null;
  readonly webhook: BotWebhook | null;
}

/** Creates a bot that belongs to the actor (contract/users.md section 7). */
export class CreateBot extends Command<{ userId: UserId; apiKey: string }> {
  /** @param picture the bytes of an image as they were sent */
  constructor(
    readonly by: Actor,
    readonly input: BotInput,
    readonly picture?: Uint8Array,
  ) {
    super();
  }
}

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly accounts: NewAccounts,
    private readonly keys: ApiKeys,
    private readonly avatars: Avatars,
    private readonly channels: BotChannels,
  ) {}

  async execute({ by, input, picture }: CreateBot) {
    const { subdomain } = await this.realms.of(by.realmId);
    const email = botEmail(input.shortName, mailDomain(this.address.urlOf(subdomain)));
    const program = requestedProgram(input.type, input.shortName, input.service ?? NO_SERVICE);
    const webhook = requestedWebhook(input.type, input.webhook ?? {});
    const make = (file?: string) => this.create(by, { ...input, email, program, webhook }, file);
    return picture ? this.avatars.keptFor(by, picture, make) : make();
  }

  private async create(by: Actor, input: CheckedInput, file: string | undefined) {
    const userId = await this.kernel.ids.next(by.realmId, 'user');
    const apiKey = this.keys.random();
    return this.kernel.work.run(by, async (work) => {
      const realm = await work.read(realmAggregate, 'realm');
      if (!realm) throw new Error('an organization without a beginning');
      const { can_create_bots_group, can_create_write_only_bots_group } = realm.settings;
      const rules = { canCreateBots: can_create_bots_group, canCreateWriteOnlyBots: can_create_write_only_bots_group };
      ensure(mayCreateBot(work.actor, input.type, rules));
      await this.accounts.open(work, botAccount(userId, input, work.actor));
      await work.decide(userAggregate, work.actor.userId, (owner) => acquireBot(owner, userId));
      await this.chooseService(work, userId, input);
      if (file !== undefined) await work.decide(userAggregate, userId, (bot) => avatarChanged(known(bot), file));
      const defaults = await foundDefaults(this.channels, work, input.defaults ?? {});
      await work.decide(userAggregate, userId, (bot) => botDefaultsChanged(known(bot), defaults));
      await this.keys.issue(work, userId, apiKey, issueKey);
      return { userId, apiKey };
    });
  }

  private async chooseService(work: Work, userId: UserId, { program, webhook }: CheckedInput): Promise<void> {
    if (program) await work.decide(botProgramAggregate, userId, () => chooseProgram(userId, program));
    if (!webhook) return;
    const bot = known(await work.read(userAggregate, userId));
    await work.decide(botWebhookAggregate, userId, () => chooseWebhook(bot, webhook));
    work.secret({ put: botTokenSecret(userId), kind: 'bot-token', value: Buffer.from(unguessable()) });
  }
}

const NO_SERVICE: ServiceInput = { name: undefined, config: {} };

const botAccount = (userId: UserId, { email, fullName, type }: CheckedInput, owner: Actor): NewAccount => ({
  userId,
  email,
  fullName,
  role: Role.member,
  botType: type,
  botOwnerId: owner.userId,
  isSystemBot: false,
  awaitsFirstLogin: false,
  canCreateUsers: false,
  canChangeUserEmails: false,
});

/** Deactivates a bot. Its key is invalid at once (contract/users.md section 7). */
export class DeactivateBot extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly botId: UserId,
  ) {
    super();
  }
}

@CommandHandler(DeactivateBot)
export class DeactivateBotHandler implements ICommandHandler<DeactivateBot> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, botId }: DeactivateBot): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(userAggregate, botId, (state) => deactivateBot(state, work.actor));
      work.changesGuard(stillActive, botId);
    });
  }
}
