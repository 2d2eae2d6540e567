import { ChangePersonalSettings } from '@annals/channels';
import { ActorReader } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, Origin, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { ChangeOwnSettings } from '@annals/users';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { MailSubject } from './unsubscribe-links';
import { ENDING_SETTINGS, UnsubscribeLinks } from './unsubscribe-links';

/** Ends mails of one kind for the user of a link, who need not log in for it. @returns null for a link that is not valid */
export class EndMails extends Command<MailSubject | null> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(EndMails)
export class EndMailsHandler implements ICommandHandler<EndMails> {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: UnsubscribeLinks,
    private readonly actors: ActorReader,
    private readonly commands: CommandBus,
  ) {}

  async execute({ realmId, token, origin }: EndMails): Promise<MailSubject | null> {
    const ended = await this.links.resolve(realmId, token);
    if (!ended) return null;
    const { userId, subject } = ended;
    const by = await this.account(() => this.actors.actor(realmId, userId, origin));
    if (!by) return null;
    await this.commands.execute(new ChangeOwnSettings(by, ENDING_SETTINGS[subject]));
    if (subject === 'missed-messages') await this.endMailsOfChannels(by);
    return subject;
  }

  /** Null for an account that was deactivated since the mail: it gets none. */
  private async account(read: () => Promise<Actor>): Promise<Actor | null> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Rejected) return null;
      throw error;
    }
  }

  /** Subscriptions with mails about all messages. */
  private async endMailsOfChannels(by: Actor): Promise<void> {
    const { rows } = await this.kernel.database.pool.query<{ channelId: ChannelId }>({
      name: 'email-wished-channels',
      text: `SELECT w.channel_id AS "channelId" FROM view.channel_email_wishes AS w
        JOIN view.memberships AS m ON m.realm_id = w.realm_id AND m.channel_id = w.channel_id AND m.user_id = w.user_id
          AND m.to_position IS NULL
        WHERE w.realm_id = $1 AND w.user_id = $2 ORDER BY 1`,
      values: [by.realmId, by.userId],
    });
    const changes = rows.map(({ channelId }) => ({
      channelId,
      property: 'email_notifications' as const,
      value: false,
    }));
    if (changes.length > 0) await this.commands.execute(new ChangePersonalSettings(by, changes));
  }
}
