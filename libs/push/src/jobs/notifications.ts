import { randomUUID } from 'node:crypto';
import { ActorReader, GroupFacts, readMembership } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, GroupId, Instant, MessageId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Rejected, isGuest } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { GetMessage, loadMessages, readHasRead, wasReadOnArrival } from '@annals/messages';
import type { ContentEdited, MessageSent } from '@annals/messages/events';
import { OFFLINE_MS, readActiveSince } from '@annals/presence';
import type { UserRow } from '@annals/users';
import { UserAccess, readHadMuted, readEffectiveSettings, readUsers, unknownUser } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { encryptedFor } from '../application/encryption';
import type { MentionedReader } from '../application/payloads';
import { messagePayload } from '../application/payloads';
import type { PushOrganization } from '../application/push-sender';
import { PushSender } from '../application/push-sender';
import type { PushSettings, Received } from '../domain/triggers';
import { triggerOf, triggerOfEdit } from '../domain/triggers';
import { readActiveDevices } from '../read/devices';
import type { PushRecipient } from '../read/recipients';
import { readPushRecipients } from '../read/recipients';
import type { LeasedTask } from './push-outbox-rows';
import { haveEarlierTasks, recordPage } from './push-outbox-rows';
import { notifiedAmong } from './notified-rows';
import { RetryLater, LeaseLost, leaseExpiry } from './lease';

/** Users in one request to the push service. */
const PAGE = 200;

/** The mentions of a text, and when it was written: a group mention applies to its members of that time. */
interface MentionsAt {
  readonly mentions: MessageRow['mentions'];
  readonly moment: Pick<Recorded, 'position' | 'at'>;
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

/** Notifies users of messages and of edits, a page of users at a time. */
@Injectable()
export class Notifications {
  constructor(
    private readonly kernel: Kernel,
    private readonly actors: ActorReader,
    private readonly groups: GroupFacts,
    private readonly userAccess: UserAccess,
    private readonly queries: QueryBus,
    private readonly sender: PushSender,
  ) {}

  /**
   * Everything is read at this moment: active users, access to the message, and settings. @throws BouncerTrouble,
   * LeaseLost
   */
  notifyOfMessage(task: LeasedTask): Promise<void> {
    return this.notifyAll(task, null);
  }

  /**
   * Notifies users whom the edited text mentions and the text before did not. @throws BouncerTrouble, LeaseLost, RetryLater
   */
  async notifyOfEdit(task: LeasedTask): Promise<void> {
    const { realmId, position, messageId } = task;
    if (messageId === null) return;
    if (await haveEarlierTasks(this.kernel.database.pool, task, [messageId])) throw new RetryLater();
    const [edit] = await this.kernel.events.at(realmId, [position]);
    const texts = edit ? await this.kernel.events.stream(realmId, edit.stream) : [];
    const before = texts.findLast((text) => text.position < position) as
      Recorded<MessageSent | ContentEdited> | undefined;
    if (before) await this.notifyAll(task, { mentions: before.data.mentions, moment: before });
  }

  /** @param before the mentions of an edited message before the edit */
  private async notifyAll(task: LeasedTask, before: MentionsAt | null): Promise<void> {
    const { realmId, messageId } = task;
    if (messageId === null) return;
    const { pool } = this.kernel.database;
    await this.kernel.fence.reach(realmId);
    const organization = await this.sender.organization(realmId);
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const loaded = await loadMessages(pool, realmId, [messageId], 'now');
      const message = loaded.rows.get(messageId);
      if (!message) return;
      const page = await readPushRecipients(pool, realmId, message, after, PAGE);
      const notified = await this.notifyPage(organization, loaded, message, page, before);
      const last = page.at(-1)?.userId;
      if (last !== undefined) {
        const noted = { last, notified, at: this.kernel.clock.now(), until: leaseExpiry(this.kernel) };
        if (!(await recordPage(pool, task, noted))) throw new LeaseLost();
      }
      after = page.length < PAGE ? undefined : last;
    }
  }

  /** @returns the users who were notified */
  private async notifyPage(
    organization: PushOrganization,
    loaded: LoadedMessages,
    message: MessageRow,
    page: readonly PushRecipient[],
    before: MentionsAt | null,
  ): Promise<readonly UserId[]> {
    const { realmId } = organization;
    const { pool } = this.kernel.database;
    const sender = loaded.users.get(message.senderId);
    if (!sender || page.length === 0) return [];
    const wanted = await this.wanting(realmId, message, page, before);
    const users = await readUsers(pool, realmId, [...wanted.keys()]);
    const texts = new Map<UserId, object>();
    for (const user of users) {
      const to = { ...user, mentionedBy: wanted.get(user.userId) ?? null };
      texts.set(user.userId, messagePayload(organization, to, message, await this.asSeenBy(user, sender)));
    }
    const devices = await readActiveDevices(pool, realmId, [...texts.keys()]);
    const requests = devices.map((device) => encryptedFor(device, texts.get(device.userId) ?? {}, 'rings'));
    await this.sender.send(organization, devices, requests);
    return [...new Set(devices.map(({ userId }) => userId))];
  }

  /** The users of a page to notify, who can see the message, each with the group that mentions them. */
  private async wanting(
    realmId: RealmId,
    message: MessageRow,
    page: readonly PushRecipient[],
    before: MentionsAt | null,
  ): Promise<Map<UserId, MentionedReader['mentionedBy']>> {
    const { pool } = this.kernel.database;
    const ids = page.map(({ userId }) => userId);
    const moment = { position: message.text.position, at: message.editedAt ?? message.sentAt };
    const mentionsOf = await this.mentionsOf(realmId, { mentions: message.mentions, moment }, ids);
    const mentionedBefore = before && (await this.mentionsOf(realmId, before, ids));
    const notified = before && (await notifiedAmong(pool, realmId, message.id, ids));
    const groups = message.mentions.groupIds.length === 0 ? null : await this.groups.of(realmId);
    const receivedBy = await this.receivedBy(realmId, message, ids);
    const wanted = new Map<UserId, MentionedReader['mentionedBy']>();
    for (const recipient of page) {
      const { userId, sees } = recipient;
      const mentions = mentionsOf(userId);
      const received = receivedBy(recipient, mentions);
      if (!received) continue;
      const trigger =
        mentionedBefore && notified
          ? triggerOfEdit(received, { wasMentioned: isAny(mentionedBefore(userId)), wasNotified: notified.has(userId) })
          : triggerOf(received);
      if (!trigger || !(sees ?? (await this.canSee(realmId, userId, message.id)))) continue;
      const group = trigger === 'mention' && !mentions.byName ? mentions.group : undefined;
      const name = group === undefined ? undefined : groups?.get(group)?.name;
      wanted.set(userId, group === undefined || name === undefined ? null : { id: group, name });
    }
    return wanted;
  }

  /** The facts about a message for each of some users. Null for an account without settings. */
  private async receivedBy(
    realmId: RealmId,
    { id, senderId, conversationId, text, ...arrival }: MessageRow,
    ids: readonly UserId[],
  ): Promise<(recipient: PushRecipient, mentions: MentionKinds) => Received | null> {
    const { pool } = this.kernel.database;
    const settings = await readEffectiveSettings(pool, realmId, ids);
    const hadMuted = await readHadMuted(pool, realmId, [senderId]);
    const hasRead = await readHasRead(pool, realmId, [id], ids);
    const present = await this.presentAmong(realmId, settings);
    return ({ userId, channel, topic }, { byName, group, channelWildcard, topicWildcard }) => {
      const chosen = settings.get(userId);
      if (!chosen) return null;
      return {
        isSender: userId === senderId,
        isRead: wasReadOnArrival(arrival, userId) || hasRead(userId, id) || hadMuted(userId, senderId, text.position),
        isDirect: conversationId !== null,
        isMentioned: byName || group !== undefined,
        ...{ channel, topic, channelWildcard, topicWildcard, settings: chosen },
        isPresent: present.has(userId),
      };
    };
  }

  /** Users who are online now. Those who want notifications all the same are left out. */
  private presentAmong(
    realmId: RealmId,
    settings: ReadonlyMap<UserId, Pick<PushSettings, 'enable_online_push_notifications'>>,
  ): Promise<ReadonlySet<UserId>> {
    const ids = [...settings].flatMap(([userId, one]) => (one.enable_online_push_notifications ? [] : [userId]));
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
      const actor = await this.actor(realmId, userId);
      await this.queries.execute(new GetMessage(actor, messageId));
      return true;
    } catch (error) {
      if (error instanceof Rejected) return false;
      throw error;
    }
  }

  /** A guest may not be allowed to see the sender (contract/permissions.md section 7). */
  private async asSeenBy(reader: UserRow, sender: UserRow): Promise<UserRow> {
    if (!isGuest(reader)) return sender;
    const { realmId, userId } = sender;
    const inaccessible = await this.userAccess.inaccessibleAmong(await this.actor(realmId, reader.userId), [userId]);
    return inaccessible.has(userId) ? unknownUser({ realmId, userId }) : sender;
  }

  private actor(realmId: RealmId, userId: UserId): Promise<Actor> {
    return this.actors.actor(realmId, userId, { client: 'annals', correlation: randomUUID(), address: null });
  }
}
