import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Account } from '../../domain/account/account';
import { claimsName, isOtherName, known, userAggregate } from '../../domain/account/account';
import type { BotChange, BotChangeRules } from '../../domain/account/bot';
import { administeredBot, changeBot } from '../../domain/account/bot';
import type { WebhookInput } from '../../domain/account/bot-webhook';
import { botWebhookAggregate, changeWebhook } from '../../domain/account/bot-webhook';
import { botEmail } from '../../domain/account/names';
import { claimsEmail } from '../../domain/email/email';
import { UserAccess } from '../../read/account/user-access';
import { BotChannels } from '../../read/bot/bot-channels.port';
import { Avatars } from '../profile/avatars';
import type { NamedDefaults } from './bot-defaults';
import { foundDefaults } from './bot-defaults';
import { recordWithOwners } from './bot-ownership';
import { Uniqueness } from '../account/uniqueness';

export interface BotPatch extends Omit<BotChange, 'avatarFile' | 'defaults' | 'email'> {
  /** The part of its address that users choose. */
  readonly shortName?: string | undefined;
  readonly defaults?: NamedDefaults;
  readonly webhook?: WebhookInput;
}

/** Changes a bot (contract/users.md section 7). */
export class ChangeBot extends Command<void> {
  /** @param picture the bytes of a new image as they were sent */
  constructor(
    readonly by: Actor,
    readonly botId: UserId,
    readonly input: BotPatch,
    readonly picture: Uint8Array | undefined,
  ) {
    super();
  }
}

@CommandHandler(ChangeBot)
export class ChangeBotHandler implements ICommandHandler<ChangeBot> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly uniqueness: Uniqueness,
    private readonly avatars: Avatars,
    private readonly userAccess: UserAccess,
    private readonly channels: BotChannels,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  async execute({ by, botId, input, picture }: ChangeBot): Promise<void> {
    const change = (avatarFile?: string) => this.work.run(by, (work) => this.record(work, botId, input, avatarFile));
    const previous = await (picture ? this.avatars.keptFor(by, picture, change) : change());
    await this.avatars.discard(by.realmId, previous);
  }

  /** @returns the image that is replaced */
  private async record(
    work: Work,
    botId: UserId,
    { defaults: named = {}, shortName, webhook = {}, ...requested }: BotPatch,
    avatarFile: string | undefined,
  ): Promise<string | null> {
    const bot = await work.read(userAggregate, botId);
    administeredBot(bot, work.actor);
    const email = shortName === undefined ? undefined : await this.emailOf(work, shortName);
    const input = { ...requested, email, avatarFile, defaults: await foundDefaults(this.channels, work, named) };
    const rules = await this.rulesFor(work, bot, input);
    const facts = await work.decide(userAggregate, botId, (state) => changeBot(state, input, work.actor, rules));
    // Read again: it has another owner if the request gives it away.
    const changed = known(await work.read(userAggregate, botId));
    await work.decide(botWebhookAggregate, botId, (state) => changeWebhook(state, changed, webhook));
    const given = facts.find((one) => one.type === 'users.BotOwnerChanged');
    if (given) await recordWithOwners(work, botId, given.data.from, given.data.to);
    const previous = input.avatarFile === undefined ? null : (bot?.avatar.file ?? null);
    await this.avatars.unsettle(work.realmId, previous);
    return previous;
  }

  private async emailOf({ realmId }: Work, shortName: string): Promise<string> {
    const { subdomain } = await this.realms.of(realmId);
    return botEmail(shortName, mailDomain(this.address.urlOf(subdomain)));
  }

  private async rulesFor(
    work: Work,
    bot: Account | null,
    { fullName, email, ownerId }: BotChange,
  ): Promise<BotChangeRules> {
    const claims = bot !== null && isOtherName(bot, fullName) && claimsName(bot, fullName);
    return {
      nameTaken: claims && (await this.uniqueness.nameTaken(work, fullName)),
      emailTaken: bot !== null && claimsEmail(bot, email) && (await this.uniqueness.emailTaken(work, email)),
      newOwner: ownerId === undefined ? null : await this.newOwner(work, ownerId),
    };
  }

  /** @returns null also for a user whom the actor may not see */
  private async newOwner(work: Work, ownerId: UserId): Promise<Account | null> {
    const inaccessible = await this.userAccess.inaccessibleAmong(work.actor, [ownerId]);
    return inaccessible.has(ownerId) ? null : work.read(userAggregate, ownerId);
  }
}
