import { randomUUID } from 'node:crypto';
import { ActorReader, GroupFacts, readMembership } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, GroupId, Instant, MessageId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { GetMessage, readHasRead, wasReadOnArrival } from '@annals/messages';
import { OFFLINE_MS, readActiveSince } from '@annals/presence';
import type { OwnSettings } from '@annals/users';
import { readEffectiveSettings, readHadMuted } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { NotificationWishes, Received, Trigger } from '../domain/triggers';
import { triggerOf, triggerOfEdit } from '../domain/triggers';
import type { MessageRecipient } from '../read/recipients';

/** The mentions of a text, and when it was written: a group mention applies to its members of that time. */
export interface MentionsAt {
  readonly mentions: MessageRow['mentions'];
  readonly moment: Pick<Recorded, 'position' | 'at'>;
}

/** The text of an edited message before the edit, and who had been notified of the message. */
export interface BeforeTheEdit extends MentionsAt {
  readonly notified: ReadonlySet<UserId>;
}

/** Why a user is notified. */
export interface NotificationReason {
  readonly trigger: Trigger;
  /** The group by which the message mentions the user, if it does not mention them by name. */
  readonly mentionedBy: { readonly id: GroupId; readonly name: string } | null;
}

/** How a text mentions one user. */
interface MentionKinds {
  readonly byName: boolean;
  readonly group: GroupId | undefined;
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
}
type MentionsOf = (userId: UserId) => MentionKinds;

const isAny = ({ byName, group, channelWildcard, topicWildcard }: MentionKinds): boolean =>
  byName || group !== undefined || channelWildcard || topicWildcard;

/**
 * Decides which users are notified of a message, and why. Everything is read at this moment: what they have read, mutes,
 * settings, access to the message, and for users who want it so, whether they are online.
 */
@Injectable()
export class NotificationReasons {
  constructor(
    private readonly kernel: Kernel,
    private readonly actors: ActorReader,
    private readonly groups: GroupFacts,
    private readonly queries: QueryBus,
  ) {}

  /**
   * The users among some recipients who are notified of a message. @param wishesOf the wishes for one way of notification
   *
   * @param before for an edit. Null for the message itself
   */
  async of(
    realmId: RealmId,
    message: MessageRow,
    recipients: readonly MessageRecipient[],
    wishesOf: (settings: OwnSettings) => NotificationWishes,
    before: BeforeTheEdit | null = null,
  ): Promise<Map<UserId, NotificationReason>> {
    const reasons = new Map<UserId, NotificationReason>();
    if (recipients.length === 0) return reasons;
    const ids = recipients.map(({ userId }) => userId);
    const moment = { position: message.text.position, at: message.editedAt ?? message.sentAt };
    const mentionsOf = await this.mentionsOf(realmId, { mentions: message.mentions, moment }, ids);
    const mentionedBefore = before && (await this.mentionsOf(realmId, before, ids));
    const groups = message.mentions.groupIds.length === 0 ? null : await this.groups.of(realmId);
    const receivedBy = await this.receivedBy(realmId, message, ids, wishesOf);
    for (const recipient of recipients) {
      const { userId, sees } = recipient;
      const mentions = mentionsOf(userId);
      const received = receivedBy(recipient, mentions);
      if (!received) continue;
      const trigger =
        before && mentionedBefore
          ? triggerOfEdit(received, {
              wasMentioned: isAny(mentionedBefore(userId)),
              wasNotified: before.notified.has(userId),
            })
          : triggerOf(received);
      if (!trigger || !(sees ?? (await this.canSee(realmId, userId, message.id)))) continue;
      const group = trigger === 'mention' && !mentions.byName ? mentions.group : undefined;
      const name = group === undefined ? undefined : groups?.get(group)?.name;
      const mentionedBy = group === undefined || name === undefined ? null : { id: group, name };
      reasons.set(userId, { trigger, mentionedBy });
    }
    return reasons;
  }

  /** A user as an actor, for what they may see. @throws Rejected for a deactivated account */
  actor(realmId: RealmId, userId: UserId): Promise<Actor> {
    return this.actors.actor(realmId, userId, { client: 'annals', correlation: randomUUID(), address: null });
  }

  /** The facts about a message for each of some users. Null for an account without settings. */
  private async receivedBy(
    realmId: RealmId,
    { id, senderId, conversationId, text, ...arrival }: MessageRow,
    ids: readonly UserId[],
    wishesOf: (settings: OwnSettings) => NotificationWishes,
  ): Promise<(recipient: MessageRecipient, mentions: MentionKinds) => Received | null> {
    const { pool } = this.kernel.database;
    const settings = await readEffectiveSettings(pool, realmId, ids);
    const wishes = new Map([...settings].map(([userId, chosen]) => [userId, wishesOf(chosen)]));
    const hadMuted = await readHadMuted(pool, realmId, [senderId]);
    const hasRead = await readHasRead(pool, realmId, [id], ids);
    const present = await this.presentAmong(realmId, wishes);
    return ({ userId, channel, topic }, { byName, group, channelWildcard, topicWildcard }) => {
      const wished = wishes.get(userId);
      if (!wished) return null;
      return {
        isSender: userId === senderId,
        isRead: wasReadOnArrival(arrival, userId) || hasRead(userId, id) || hadMuted(userId, senderId, text.position),
        isDirect: conversationId !== null,
        isMentioned: byName || group !== undefined,
        ...{ channel, topic, channelWildcard, topicWildcard, wishes: wished },
        isPresent: present.has(userId),
      };
    };
  }

  /** Users who are online now. Those who want notifications all the same are left out. */
  private presentAmong(
    realmId: RealmId,
    wishes: ReadonlyMap<UserId, NotificationWishes>,
  ): Promise<ReadonlySet<UserId>> {
    const ids = [...wishes].flatMap(([userId, { whileOnline }]) => (whileOnline ? [] : [userId]));
    const since = (this.kernel.clock.now() - OFFLINE_MS) as Instant;
    return readActiveSince(this.kernel.database.pool, realmId, ids, since);
  }

  private async mentionsOf(
    realmId: RealmId,
    { mentions, moment }: MentionsAt,
    ids: readonly UserId[],
  ): Promise<MentionsOf> {
    const { userIds, groupIds, channelWildcard, participantIds } = mentions;
    const isIn = await readMembership({ client: this.kernel.database.pool, realmId }, groupIds, ids);
    return (userId) => ({
      byName: userIds.includes(userId),
      group: groupIds.find((id) => isIn(id, userId, moment)),
      channelWildcard,
      topicWildcard: participantIds?.includes(userId) ?? false,
    });
  }

  /** Checked only for users who are mentioned in a channel that they are not subscribed to. */
  private async canSee(realmId: RealmId, userId: UserId, messageId: MessageId): Promise<boolean> {
    try {
      await this.queries.execute(new GetMessage(await this.actor(realmId, userId), messageId));
      return true;
    } catch (error) {
      if (error instanceof Rejected) return false;
      throw error;
    }
  }
}
