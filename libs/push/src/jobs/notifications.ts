import { randomUUID } from 'node:crypto';
import { ActorReader, GroupFacts, readMembership } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, GroupId, MessageId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Rejected, isGuest } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { GetMessage, loadMessages } from '@annals/messages';
import type { ContentEdited, MessageSent, MessagesDeleted } from '@annals/messages/events';
import { RealmFacts, ServerAddress } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserAccess, readSettings, readUsers, unknownUser } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { PushRequest } from '../application/bouncer';
import { Bouncer } from '../application/bouncer';
import { encryptedFor } from '../application/encryption';
import type { MentionedReader, Home } from '../application/payloads';
import { messagePayload, removalPayload } from '../application/payloads';
import { Registrations } from '../application/registrations';
import type { Received } from '../domain/triggers';
import { triggerOf, triggerOfEdit } from '../domain/triggers';
import type { ActiveDevice } from '../read/devices';
import { readActiveDevices } from '../read/devices';
import type { Recipient } from '../read/recipients';
import { readRecipients } from '../read/recipients';
import type { LeasedTask } from './push-outbox-rows';
import {
  haveEarlierTasks,
  deleteNotified,
  recordPage,
  recordProgress,
  readNotified,
  notifiedAmong,
} from './push-outbox-rows';
import { RetryLater, LeaseLost, leaseExpiry } from './lease';

/** People in one request to the push service. */
const PAGE = 200;

interface Organization extends Home {
  readonly realmId: RealmId;
  readonly uuid: string;
}

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

/** Sends and removes notifications, a page of users at a time. */
@Injectable()
export class Notifications {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly actors: ActorReader,
    private readonly groups: GroupFacts,
    private readonly userAccess: UserAccess,
    private readonly queries: QueryBus,
    private readonly bouncer: Bouncer,
    private readonly registrations: Registrations,
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

  /** @param before how an edited message called before */
  private async notifyAll(task: LeasedTask, before: MentionsAt | null): Promise<void> {
    const { realmId, messageId } = task;
    if (messageId === null) return;
    const { pool } = this.kernel.database;
    await this.kernel.fence.reach(realmId);
    const organization = await this.organization(realmId);
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const loaded = await loadMessages(pool, realmId, [messageId], 'now');
      const message = loaded.rows.get(messageId);
      if (!message) return;
      const page = await readRecipients(pool, realmId, message, after, PAGE);
      const told = await this.notifyPage(organization, loaded, message, page, before);
      const last = page.at(-1)?.userId;
      if (last !== undefined) {
        const noted = { last, told, at: this.kernel.clock.now(), until: leaseExpiry(this.kernel) };
        if (!(await recordPage(pool, task, noted))) throw new LeaseLost();
      }
      after = page.length < PAGE ? undefined : last;
    }
  }

  /** Removes notifications of deleted messages from devices. @throws BouncerTrouble, LeaseLost, RetryLater */
  async removeNotifications(task: LeasedTask): Promise<void> {
    const { realmId, position } = task;
    const { pool } = this.kernel.database;
    const [event] = (await this.kernel.events.at(realmId, [position])) as Recorded<MessagesDeleted>[];
    if (!event) return;
    const { messageIds } = event.data;
    if (await haveEarlierTasks(pool, task, messageIds)) throw new RetryLater();
    const organization = await this.organization(realmId);
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const page = await readNotified(pool, realmId, messageIds, after, PAGE);
      const gone = new Map(page.map(({ userId, messageIds: ids }) => [userId, ids]));
      const devices = await readActiveDevices(pool, realmId, await this.active(realmId, [...gone.keys()]));
      const requests = devices.map((device) =>
        encryptedFor(device, removalPayload(organization, device.userId, gone.get(device.userId) ?? []), 'silent'),
      );
      await this.send(organization, devices, requests);
      const last = page.at(-1)?.userId;
      if (last !== undefined && !(await recordProgress(pool, task, last, leaseExpiry(this.kernel)))) {
        throw new LeaseLost();
      }
      after = page.length < PAGE ? undefined : last;
    }
    await deleteNotified(pool, realmId, messageIds);
  }

  /** @returns the users who were notified */
  private async notifyPage(
    organization: Organization,
    loaded: LoadedMessages,
    message: MessageRow,
    page: readonly Recipient[],
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
      const to = { ...user, calledWith: wanted.get(user.userId) ?? null };
      texts.set(user.userId, messagePayload(organization, to, message, await this.asSeenBy(user, sender)));
    }
    const devices = await readActiveDevices(pool, realmId, [...texts.keys()]);
    const requests = devices.map((device) => encryptedFor(device, texts.get(device.userId) ?? {}, 'rings'));
    await this.send(organization, devices, requests);
    return [...new Set(devices.map(({ userId }) => userId))];
  }

  /** The users of a page to notify, who can see the message, each with the group that mentions them. */
  private async wanting(
    realmId: RealmId,
    message: MessageRow,
    page: readonly Recipient[],
    before: MentionsAt | null,
  ): Promise<Map<UserId, MentionedReader['calledWith']>> {
    const { pool } = this.kernel.database;
    const ids = page.map(({ userId }) => userId);
    const settings = await readSettings(pool, realmId, ids);
    const moment = { position: message.text.position, at: message.editedAt ?? message.sentAt };
    const callOf = await this.mentionsOf(realmId, { mentions: message.mentions, moment }, ids);
    const callBefore = before && (await this.mentionsOf(realmId, before, ids));
    const told = before && (await notifiedAmong(pool, realmId, message.id, ids));
    const groups = message.mentions.groupIds.length === 0 ? null : await this.groups.of(realmId);
    const wanted = new Map<UserId, MentionedReader['calledWith']>();
    for (const { userId, channel, topic, sees } of page) {
      const chosen = settings.get(userId);
      if (!chosen) continue;
      const { byName, group, channelWildcard, topicWildcard } = callOf(userId);
      const received: Received = {
        ...{ isSender: userId === message.senderId, isRead: message.readBy === userId },
        ...{ channel, topic, topicWildcard, channelWildcard, settings: chosen },
        isDirect: message.conversationId !== null,
        isMentioned: byName || group !== undefined,
        // Nobody's presence is known yet.
        isPresent: false,
      };
      const trigger =
        callBefore && told
          ? triggerOfEdit(received, { wasMentioned: isAny(callBefore(userId)), wasNotified: told.has(userId) })
          : triggerOf(received);
      if (!trigger || !(sees ?? (await this.canSee(realmId, userId, message.id)))) continue;
      const name = group === undefined ? undefined : groups?.get(group)?.name;
      const isByGroup = trigger === 'mention' && !byName && group !== undefined && name !== undefined;
      wanted.set(userId, isByGroup ? { id: group, name } : null);
    }
    return wanted;
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

  private async send(
    { realmId, uuid }: Organization,
    devices: readonly ActiveDevice[],
    requests: readonly PushRequest[],
  ): Promise<void> {
    if (requests.length === 0) return;
    const expired = await this.bouncer.notify(uuid, requests);
    await this.registrations.forget(
      realmId,
      devices.filter(({ serviceDeviceId }) => expired.has(serviceDeviceId)),
    );
  }

  private async active(realmId: RealmId, ids: readonly UserId[]): Promise<UserId[]> {
    const users = await readUsers(this.kernel.database.pool, realmId, ids);
    return users.filter(({ isActive }) => isActive).map(({ userId }) => userId);
  }

  private async organization(realmId: RealmId): Promise<Organization> {
    const { uuid, subdomain, texts } = await this.realms.of(realmId);
    return { realmId, uuid, url: this.address.urlOf(subdomain), name: texts.name };
  }
}
