import { Kernel } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { addMailTasks } from '@annals/mail';
import { OFFLINE_MS, readLastActive } from '@annals/presence';
import { Injectable } from '@nestjs/common';
import { offlineFrom } from '../domain/due';
import type { MissedConversation, MissedMessage } from './missed-message-rows';
import { batchMissed, dropMissed, postponeMissed, readWaiting } from './missed-message-rows';
import type { WantedMessage } from './missed-messages';
import { MissedMessages, conversationKey } from './missed-messages';

/** The kind of mails about missed messages. Their key names the user and the first message. */
export const MISSED_MESSAGES = 'missed-messages';

/** Turns missed messages into mails when they are due: one mail for each user and conversation. */
@Injectable()
export class DueMails {
  constructor(
    private readonly kernel: Kernel,
    private readonly missed: MissedMessages,
  ) {}

  /**
   * Handles everything that waits for some users. Those who are online again are asked about later. A process that dies here leaves
   * each message either waiting or in a mail.
   */
  async handle(realmId: RealmId, userIds: readonly UserId[]): Promise<void> {
    const { database, clock, fence } = this.kernel;
    const { pool } = database;
    await fence.reach(realmId);
    const online = await readLastActive(pool, realmId, userIds, (clock.now() - OFFLINE_MS) as Instant);
    const later = [...online].map(([userId, activeAt]) => [userId, offlineFrom(activeAt, OFFLINE_MS)] as const);
    await postponeMissed(pool, realmId, later);
    const offline = userIds.filter((userId) => !online.has(userId));
    const waiting = await readWaiting(pool, realmId, offline);
    const wanted = await this.missed.wanted(realmId, waiting);
    await this.batch(realmId, conversationsOf(wanted));
    await dropMissed(pool, realmId, without(waiting, wanted));
  }

  /** The messages of a conversation are in a mail, and the mail is in the outbox, or neither. */
  private async batch(realmId: RealmId, conversations: readonly MissedConversation[]): Promise<void> {
    if (conversations.length === 0) return;
    const { database, clock } = this.kernel;
    await database.transaction('BEGIN', async (client) => {
      const keys = await batchMissed(client, realmId, conversations);
      const tasks = keys.map((key) => ({ kind: MISSED_MESSAGES, key }));
      await addMailTasks(client, realmId, tasks, clock.now());
    });
  }
}

function conversationsOf(wanted: readonly WantedMessage[]): MissedConversation[] {
  const conversations = grouped(wanted, ({ userId, message }) => `${userId}:${conversationKey(message)}`);
  return [...conversations.values()].flatMap((messages) => {
    const [first] = messages;
    return first ? [{ userId: first.userId, messageIds: messages.map(({ messageId }) => messageId) }] : [];
  });
}

function without(all: readonly MissedMessage[], some: readonly MissedMessage[]): MissedMessage[] {
  const named = new Set(some.map(({ userId, messageId }) => `${userId}:${messageId}`));
  return all.filter(({ userId, messageId }) => !named.has(`${userId}:${messageId}`));
}
