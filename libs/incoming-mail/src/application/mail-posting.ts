import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import { ActorReader } from '@annals/groups';
import type { Actor, ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import { AddressBounces } from '@annals/mail';
import type { Destination } from '@annals/messages';
import { Notices, Sender, plain, sentContent, withEnding } from '@annals/messages';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Attachment } from 'mailparser';
import { mailPosted, postedMail } from '../domain/posted-mail';
import { GatewayBot } from './gateway-bot';
import { MailAttachments } from './mail-attachments';
import type { MailTarget } from './mail-target';

/** A mail as a message. */
export interface PostedText {
  readonly to: Destination;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The same for each delivery of the mail to the same address. */
  readonly key: string;
}

const UNKNOWN_TEXT = '…';

/** Posts mails, each once. */
@Injectable()
export class MailPosting {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sender: Sender,
    private readonly notices: Notices,
    private readonly users: UserFacts,
    private readonly actors: ActorReader,
    private readonly gateway: GatewayBot,
    private readonly attachments: MailAttachments,
    private readonly bounces: AddressBounces,
  ) {}

  /** Whether an account has this address. */
  async isAddressOf(realmId: RealmId, userId: UserId, address: string): Promise<boolean> {
    const account = await this.users.account(realmId, userId);
    return address !== '' && account?.deliveryEmail.toLowerCase() === address;
  }

  /**
   * Posts a mail, unless it was posted already. Files are stored before, so that the message can name them.
   *
   * @throws Rejected when the user whose rights decide may not post there now
   */
  async post(target: MailTarget, mail: PostedText): Promise<void> {
    if (await this.isPosted(target.rights, mail)) return;
    const by = target.sender ?? (await this.gatewayActor(target));
    const { links, paths } = await this.attachments.store(by, mail.attachments);
    const text = withEnding(mail.text, links);
    await this.work.run(by, async (work) => {
      if (await work.read(postedMail, mail.key)) return;
      if (target.sender === null) await this.postAsBot(work, mail.to, text, paths);
      else await this.postAsUser(work, mail.to, text);
      await work.decide(postedMail, mail.key, () => mailPosted(by.userId, target.purpose));
      // Who answers a mail has received it.
      if (target.purpose === 'conversation') await this.bounces.confirm(work, by.userId);
    });
  }

  /** Decides with the rights of a user, and writes nothing. @throws Rejected */
  private async isPosted(rights: Actor, { to, text, attachments, key }: PostedText): Promise<boolean> {
    return this.work.run(
      rights,
      async (work) => {
        if (await work.read(postedMail, key)) return true;
        // What is written about the files is not known yet.
        await this.sender.draft(work, to, text === '' && attachments.length > 0 ? UNKNOWN_TEXT : text);
        return false;
      },
      { isDryRun: true },
    );
  }

  private async gatewayActor({ realmId, rights: { origin } }: MailTarget): Promise<Actor> {
    return this.actors.actor(realmId, await this.gateway.idIn(realmId), origin);
  }

  private async postAsUser(work: Work, to: Destination, text: string): Promise<void> {
    const draft = await this.sender.draft(work, to, text);
    await this.sender.send(work, draft, { readBySender: true, echo: null });
  }

  /** A mail of a stranger mentions nobody, and gives access to its own files only. */
  private async postAsBot(work: Work, to: Destination, text: string, paths: readonly string[]): Promise<void> {
    if (!('channel' in to)) throw new Error('the bot of the gateway posts to channels only');
    const channel = to.channel as ChannelId;
    const topic = await this.sender.topicIn(work, channel, to.topic);
    await this.notices.postAs(work, work.actor.userId, { channel, topic }, plain(sentContent(text)), paths);
  }
}
