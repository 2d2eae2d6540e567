import { Kernel } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { bouncePart } from '../domain/incoming-part';
import { leadsNowhere } from '../domain/mail-address';
import type { MailDraft } from '../domain/mail-draft';
import { readBouncing } from '../read/bouncing-addresses';
import { renderMail } from './layout/rendering';
import { mailIdOf, messageIdOf, rawMail } from './letter';
import { MailOptions } from './mail-options';
import { MailTransport } from './transport/mail-transport';

/** Which mail it is: the same for each attempt. */
export interface MailIdentity {
  readonly kind: string;
  readonly key: string;
  /** When it was due first. */
  readonly at: Instant;
  /** A part of the address that it comes back to if it cannot be delivered: 32 digits to the base of 16. */
  readonly bounceToken: string;
}

/** Writes mails from drafts, and hands them to the mail server. */
@Injectable()
export class MailSender {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly options: MailOptions,
    private readonly transport: MailTransport,
  ) {}

  /** Whether there is no use in trying now. */
  get isAway(): boolean {
    return this.transport.isAway;
  }

  /** The `Message-ID` that a mail has, for later mails of its thread. */
  async messageIdOf(realmId: RealmId, kind: string, key: string): Promise<string> {
    const { uuid } = await this.realms.of(realmId);
    return messageIdOf({ uuid, kind, key }, this.options.from);
  }

  /**
   * Sends a mail with the name and the address that the organization has now.
   *
   * @returns what became of it, in words; null for a mail that is not to be sent
   * @throws MailFailure
   */
  async send(realmId: RealmId, mail: MailIdentity, draft: MailDraft): Promise<string | null> {
    if (await this.isPointless(realmId, draft)) return null;
    const { uuid, subdomain, texts } = await this.realms.of(realmId);
    const organization = { name: texts.name, url: this.address.urlOf(subdomain) };
    const { language, unsubscribe } = draft;
    const rendered = await renderMail(draft.content, { language, organization, unsubscribe });
    const name = { uuid, kind: mail.kind, key: mail.key };
    const { from } = this.options;
    const raw = await rawMail(draft, {
      name,
      from: { name: organization.name, address: from },
      date: this.kernel.clock.now(),
      rendered,
    });
    const returned = this.options.incoming(bouncePart({ realmId, token: mail.bounceToken }));
    return this.transport.send({
      realmId,
      id: mailIdOf(name),
      at: mail.at,
      envelope: { from: returned ?? from, to: draft.to },
      raw,
    });
  }

  /** Mails come back from the address, or no server would take them. Files take every mail. */
  private async isPointless(realmId: RealmId, { to, userId, purpose }: MailDraft): Promise<boolean> {
    if (this.options.smtp !== null && leadsNowhere(to)) return true;
    if (userId === undefined || purpose === 'account') return false;
    return (await readBouncing(this.kernel.database.pool, realmId, [userId])).has(userId);
  }
}
