import { createHash, randomUUID } from 'node:crypto';
import { ReplyAddresses } from '@annals/email-notifications';
import { ActorReader } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, Origin, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { AddressBounces, BOUNCES, MailOptions } from '@annals/mail';
import { Injectable } from '@nestjs/common';
import type { ParsedMail } from 'mailparser';
import type { AddressOptions } from '../domain/address-parts';
import { failedStatus } from '../domain/delivery-status';
import { refuse } from '../domain/refused-mail';
import { ChannelAddresses } from './channel-addresses';
import { MailLimits } from './mail-limits';
import { ensureWelcome, fromOf, messageOf } from './mail-message';
import { MailPosting } from './mail-posting';
import type { MailTarget } from './mail-target';

/** A mail for one address, as a mail server delivers it. */
export interface DeliveredMail {
  /** Of the envelope. */
  readonly to: string;
  readonly raw: Buffer;
}

const REPLY: AddressOptions = { showsSender: false, keepsFooter: false, keepsQuotes: false, prefersHtml: false };
const BOUNCE = new RegExp(`^${BOUNCES}\\+(\\d{1,9})\\.([0-9a-f]{32})$`, 'i');

/** Takes mails: those to channels, answers to mails about messages, and those that come back. */
@Injectable()
export class MailReceiver {
  private readonly limits: MailLimits;

  constructor(
    private readonly kernel: Kernel,
    private readonly options: MailOptions,
    private readonly channels: ChannelAddresses,
    private readonly replies: ReplyAddresses,
    private readonly bounces: AddressBounces,
    private readonly actors: ActorReader,
    private readonly posting: MailPosting,
  ) {
    this.limits = new MailLimits(kernel.clock);
  }

  /** Whether mails to an address may be taken. A mail server asks before it has the mail. @throws RefusedMail */
  async ensureKnown(to: string): Promise<void> {
    const part = this.partOf(to);
    if (!BOUNCE.test(part)) await this.targetOf(part, null);
  }

  /**
   * Takes a mail. When this resolves, the message is stored.
   *
   * @throws RefusedMail with the answer for the mail server
   */
  async receive({ to, raw }: DeliveredMail): Promise<void> {
    const part = this.partOf(to).toLowerCase();
    const mail = await parsed(raw);
    const [, realm, token = ''] = BOUNCE.exec(part) ?? [];
    if (realm !== undefined) return this.cameBack(Number(realm) as RealmId, token, mail);
    const target = await this.targetOf(part, fromOf(mail));
    ensureWelcome(mail, target.purpose);
    this.limits.count({ address: part, sender: fromOf(mail), organization: String(target.realmId) });
    const message = await messageOf(mail, target);
    const key = digestOf(`${part}\0${mail.messageId ?? digestOf(raw)}`);
    try {
      await this.posting.post(target, { ...message, attachments: mail.attachments, key });
    } catch (error) {
      if (error instanceof Rejected) throw refuse.notAllowed(error.message);
      throw error;
    }
  }

  private partOf(to: string): string {
    const part = this.options.partOf(to);
    if (part === null) throw refuse.unknownAddress();
    return part;
  }

  /** @param from the address that the mail is from; null while it is not known. Only its user may answer a mail */
  private async targetOf(part: string, from: string | null): Promise<MailTarget> {
    return (await this.channelOf(part)) ?? (await this.conversationOf(part, from));
  }

  private async channelOf(part: string): Promise<MailTarget | null> {
    const address = await this.channels.resolve(part);
    if (!address) return null;
    const { realmId, channelId, creatorId, senderId, options } = address;
    await this.kernel.fence.reach(realmId);
    const rights = await this.actorOf(realmId, creatorId);
    const sender = senderId === null ? null : senderId === creatorId ? rights : await this.actorOf(realmId, senderId);
    if (sender !== null && sender !== rights && sender.botOwnerId !== creatorId) throw refuse.endedAddress();
    return { realmId, purpose: 'channel', rights, sender, to: { channel: channelId, topic: '' }, options };
  }

  private async conversationOf(part: string, from: string | null): Promise<MailTarget> {
    const reply = await this.replies.resolve(part);
    if (!reply) throw refuse.unknownAddress();
    const { realmId, userId, to } = reply;
    if (from !== null && !(await this.posting.isAddressOf(realmId, userId, from))) throw refuse.wrongSender();
    const sender = await this.actorOf(realmId, userId);
    return { realmId, purpose: 'conversation', rights: sender, sender, to, options: REPLY };
  }

  private async actorOf(realmId: RealmId, userId: number): Promise<Actor> {
    try {
      return await this.actors.actor(realmId, userId, originOfMail());
    } catch (error) {
      if (error instanceof Rejected) throw refuse.endedAddress();
      throw error;
    }
  }

  /** Reports about mails of this server end here, whatever they say: an answer to a report would go round. */
  private async cameBack(realmId: RealmId, token: string, { attachments }: ParsedMail): Promise<void> {
    const report = attachments.find(({ contentType }) => contentType === 'message/delivery-status');
    const status = report ? failedStatus(report.content.toString('latin1')) : null;
    if (status !== null) await this.bounces.cameBack(realmId, { token, status });
  }
}

/** The parser is loaded with the first mail: an api needs the addresses only. */
async function parsed(raw: Buffer): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  const skipped = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true } as const;
  return simpleParser(raw, { ...skipped, keepCidLinks: true, keepDeliveryStatus: true });
}

const originOfMail = (): Origin => ({ client: 'email', correlation: randomUUID(), address: null });

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url');
