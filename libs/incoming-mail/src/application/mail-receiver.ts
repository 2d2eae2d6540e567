import { createHash, randomUUID } from 'node:crypto';
import { ReplyAddresses } from '@annals/email-notifications';
import { ActorReader } from '@annals/groups';
import { Kernel, RealmQuotas } from '@annals/kernel';
import type { Actor, Origin, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { BouncedMail } from '@annals/mail';
import { AddressBounces, MailOptions, readBounce } from '@annals/mail';
import { OrganizationFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { ParsedMail } from 'mailparser';
import { failedStatus } from '../domain/delivery-status';
import { refuse } from '../domain/refused-mail';
import type { AddressOptions } from './address-parts';
import { ChannelAddresses } from './channel-addresses';
import { MailLimits } from './mail-limits';
import { ensureWelcome, fromOf, messageOf } from './mail-message';
import { MailPosting } from './mail-posting';
import type { MailTarget } from './mail-target';
import { parsedMail } from './text/parsed-mail';

/** A mail for one address, as a mail server delivers it. */
export interface DeliveredMail {
  /** Of the envelope. */
  readonly to: string;
  readonly raw: Buffer;
}

const REPLY: AddressOptions = { showsSender: false, keepsFooter: false, keepsQuotes: false, prefersHtml: false };
/** Bytes of a report that are read. */
const LONGEST_REPORT = 65_536;

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
    private readonly organizations: OrganizationFacts,
    private readonly posting: MailPosting,
    private readonly quotas: RealmQuotas,
  ) {
    this.limits = new MailLimits(kernel.clock);
  }

  /** Whether mails to an address may be taken. A mail server asks before it has the mail. @throws RefusedMail */
  async ensureKnown(to: string): Promise<void> {
    const part = this.partOf(to);
    if (!(await this.bounceOf(part))) await this.targetOf(part);
  }

  /**
   * Takes a mail. When this resolves, the message is stored.
   *
   * @throws RefusedMail with the answer for the mail server
   */
  async receive({ to, raw }: DeliveredMail): Promise<void> {
    const part = this.partOf(to).toLowerCase();
    const bounce = await this.bounceOf(part);
    if (bounce) return this.cameBack(bounce, raw);
    const target = await this.targetOf(part);
    await this.ensureRoom(target);
    const mail = await parsedMail(raw);
    this.limits.count(target.realmId, { sender: fromOf(mail) });
    await this.ensureSender(target, mail);
    ensureWelcome(mail, target.purpose);
    const message = await messageOf(mail, target);
    const key = digestOf(`${part}\0${mail.messageId ?? digestOf(raw)}`);
    try {
      await this.posting.post(target, { ...message, attachments: mail.attachments, key });
    } catch (error) {
      if (error instanceof Rejected) throw refuse.notAllowed(error.message);
      if (isAboutData(error)) throw refuse.unreadable();
      throw error;
    }
  }

  /** @throws RefusedMail when the organization may not receive another mail now */
  private async ensureRoom({ realmId, name: address }: MailTarget): Promise<void> {
    const limit = await this.quotas.requestsPerMinute(realmId);
    this.limits.count(realmId, { address, all: '' }, limit);
    try {
      await this.quotas.ensureRoomInLog(realmId);
    } catch (error) {
      if (error instanceof Rejected) throw refuse.full();
      throw error;
    }
  }

  private partOf(to: string): string {
    const part = this.options.partOf(to);
    if (part === null) throw refuse.unknownAddress();
    return part;
  }

  private async targetOf(part: string): Promise<MailTarget> {
    return (await this.channelOf(part)) ?? (await this.conversationOf(part));
  }

  private async channelOf(part: string): Promise<MailTarget | null> {
    const address = await this.channels.resolve(part);
    if (!address) return null;
    const { realmId, channelId, creatorId, senderId, options } = address;
    await this.kernel.fence.reach(realmId);
    const rights = await this.actorOf(realmId, creatorId);
    const sender = senderId === null ? null : senderId === creatorId ? rights : await this.actorOf(realmId, senderId);
    if (sender !== null && sender !== rights && sender.botOwnerId !== creatorId) throw refuse.endedAddress();
    const name = `channel ${realmId} ${channelId} ${creatorId} ${senderId ?? ''}`;
    return { realmId, purpose: 'channel', rights, sender, to: { channel: channelId, topic: '' }, name, options };
  }

  private async conversationOf(part: string): Promise<MailTarget> {
    const reply = await this.replies.resolve(part);
    if (!reply) throw refuse.unknownAddress();
    const { realmId, userId, to } = reply;
    const sender = await this.actorOf(realmId, userId);
    const name = `answers ${realmId} ${userId}`;
    return { realmId, purpose: 'conversation', rights: sender, sender, to, name, options: REPLY };
  }

  /** Only its user may answer a mail. @throws RefusedMail */
  private async ensureSender({ realmId, purpose, rights }: MailTarget, mail: ParsedMail): Promise<void> {
    if (purpose === 'channel') return;
    if (!(await this.posting.isAddressOf(realmId, rights.userId, fromOf(mail)))) throw refuse.wrongSender();
  }

  private async actorOf(realmId: RealmId, userId: number): Promise<Actor> {
    try {
      await this.organizations.ensureActive(realmId);
      return await this.actors.actor(realmId, userId, originOfMail());
    } catch (error) {
      if (error instanceof Rejected) throw refuse.endedAddress();
      throw error;
    }
  }

  /** Null for a part that is no address for bounces. @throws RefusedMail if this server sent no mail with it */
  private async bounceOf(part: string): Promise<BouncedMail | null> {
    const bounce = readBounce(part);
    if (bounce && !(await this.bounces.isAwaited(bounce.realmId, bounce.token))) throw refuse.unknownAddress();
    return bounce;
  }

  /** Reports about mails of this server end here, whatever they say: an answer to a report would go round. */
  private async cameBack({ realmId, token }: BouncedMail, raw: Buffer): Promise<void> {
    this.limits.count(realmId, { address: `bounce ${token}` });
    const { attachments } = await parsedMail(raw);
    const report = attachments.find(({ contentType }) => contentType === 'message/delivery-status');
    const status = report ? failedStatus(report.content.toString('latin1', 0, LONGEST_REPORT)) : null;
    if (status !== null) await this.bounces.cameBack(realmId, { token, status });
  }
}

/** PostgreSQL cannot store a value, and will not later (class 22 of its errors). */
const isAboutData = (error: unknown): boolean => /^22/.test(String((error as { readonly code?: unknown }).code));

const originOfMail = (): Origin => ({ client: 'email', correlation: randomUUID(), address: null });

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url');
