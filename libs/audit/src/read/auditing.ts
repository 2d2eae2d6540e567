import { SubscriptionFacts } from '@annals/channels';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { ensure, isCurrent } from '@annals/kernel/domain';
import { RealmFacts, isRestricted, mayAudit, mayAuditContent } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { TrailRights } from './trail/trail-entry';

/** What accounts may read of the history (contract/audit.md section 1). */
@Injectable()
export class Auditing {
  constructor(
    private readonly realms: RealmFacts,
    private readonly spans: SubscriptionFacts,
  ) {}

  /** @throws Rejected UNAUTHORIZED_AUDIT unless the account may audit */
  async ensure(by: Actor): Promise<void> {
    ensure(mayAudit(by, (await this.realms.of(by.realmId)).settings));
  }

  /** @throws Rejected UNAUTHORIZED_AUDIT unless the account may audit and, if it wants them, read the words of the log */
  async ensureReading(by: Actor, words: boolean): Promise<void> {
    const { settings } = await this.realms.of(by.realmId);
    ensure(mayAudit(by, settings));
    if (words) ensure(mayAuditContent(by, settings));
  }

  /** The rights of an auditor. @throws Rejected UNAUTHORIZED_AUDIT unless the account may audit */
  async rights(by: Actor): Promise<TrailRights> {
    const { settings } = await this.realms.of(by.realmId);
    ensure(mayAudit(by, settings));
    const words = mayAuditContent(by, settings).allowed ? 'all' : 'none';
    return { words, channels: await this.channels(by.realmId, by.userId) };
  }

  /** The rights of an account to what it did and what was done to it. */
  async ownRights(by: Actor): Promise<TrailRights> {
    return { words: { ownOf: by.userId }, channels: await this.channels(by.realmId, by.userId) };
  }

  /** Whether the account is a guest who may not know all users. */
  async isRestricted(by: Actor): Promise<boolean> {
    return isRestricted(by, await this.realms.of(by.realmId));
  }

  /** The channels that an account is subscribed to. */
  private async channels(realmId: RealmId, user: UserId): Promise<ReadonlySet<number>> {
    const spans = await this.spans.of(realmId, user);
    return new Set([...spans].flatMap(([channel, own]) => (own.some(isCurrent) ? [channel] : [])));
  }
}
