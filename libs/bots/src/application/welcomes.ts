import { InvitationWelcomes } from '@annals/invitations';
import { UnitOfWork, systemActor } from '@annals/kernel';
import type { Opened, Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Notices, plain, quote } from '@annals/messages';
import { organization } from '@annals/realm';
import { SystemBots, isActive, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import {
  chooseWelcomeBot,
  greetingFor,
  welcomeAggregate,
  welcomeBotAggregate,
  welcomed,
  textOfAdministrators,
} from '../domain/welcome';

/** Writes to newcomers as the welcome bot, once to each (contract/whole-interface.md section 1). */
@Injectable()
export class Welcomes {
  constructor(
    private readonly work: UnitOfWork,
    private readonly bots: SystemBots,
    private readonly notices: Notices,
    private readonly invitations: InvitationWelcomes,
  ) {}

  /**
   * The messages and the record that there are some are one append, so several processes may try at once. Nothing happens
   * for a deactivated account.
   */
  async welcome(realmId: RealmId, userId: UserId): Promise<void> {
    await this.work.run(systemActor(realmId), async (work) => {
      const account = await work.read(userAggregate, userId);
      if (!account || !isActive(account) || (await work.read(welcomeAggregate, userId))) return;
      const { texts } = await organization(work);
      const text = (await this.invitations.textFor(work, userId)) ?? texts.welcome_message_custom_text;
      await this.send(work, userId, [greetingFor(account), ...(text === '' ? [] : [fromAdministrators(text)])]);
      await work.decide(welcomeAggregate, userId, () => welcomed(userId));
    });
  }

  /** Sends the actor the message that newcomers would get with this text. */
  async tryOut(work: Work, text: string): Promise<Opened> {
    const [opened] = await this.send(work, work.actor.userId, [fromAdministrators(text)]);
    if (!opened) throw new Error('the message was not opened');
    return opened;
  }

  private async send(work: Work, userId: UserId, contents: readonly string[]): Promise<readonly Opened[]> {
    return this.notices.write(work, await this.bot(work), userId, contents.map(plain));
  }

  /** The welcome bot, which is created when it is first needed: organizations of earlier versions have none. */
  private async bot(work: Work): Promise<UserId> {
    const present = await work.read(welcomeBotAggregate, 'realm');
    if (present !== null) return present;
    const botId = await this.bots.open(work, 'welcome-bot', 'Welcome Bot');
    await work.decide(welcomeBotAggregate, 'realm', (state) => chooseWelcomeBot(state, botId));
    return botId;
  }
}

const fromAdministrators = (text: string): string => textOfAdministrators(quote(text));
