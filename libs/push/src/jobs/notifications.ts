import { randomUUID } from 'node:crypto';
import { ActorReader, readMembership } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { MessageId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { GetMessage, loadMessages } from '@annals/messages';
import type { MessagesDeleted } from '@annals/messages/events';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { readSettings, readUsers } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { PushRequest } from '../application/bouncer';
import { Bouncer } from '../application/bouncer';
import { lockedFor } from '../application/locking';
import type { Home } from '../application/payloads';
import { messagePayload, removalPayload } from '../application/payloads';
import { Registrations } from '../application/registrations';
import { triggerOf } from '../domain/triggers';
import type { ActiveDevice } from '../read/devices';
import { readActiveDevices } from '../read/devices';
import type { Recipient } from '../read/recipients';
import { readRecipients } from '../read/recipients';
import type { Errand } from './errand-rows';
import { areUnderWay, forgetTold, notePage, noteProgress, readTold } from './errand-rows';
import { NotYet, takenUntil } from './taking';

/** People in one request to the push service. */
const PAGE = 200;

interface Organization extends Home {
  readonly realmId: RealmId;
  readonly uuid: string;
}

/** Tells phones of messages, and takes messages back from them, a page of people at a time. */
@Injectable()
export class Notifications {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly actors: ActorReader,
    private readonly queries: QueryBus,
    private readonly bouncer: Bouncer,
    private readonly registrations: Registrations,
  ) {}

  /** Everything is asked anew: who is there, who may see the message, and who wants to hear of it. @throws BouncerTrouble */
  async tell(errand: Errand): Promise<void> {
    const { realmId } = errand;
    const messageId = errand.position as number as MessageId;
    const { pool } = this.kernel.database;
    await this.kernel.fence.reach(realmId);
    const organization = await this.organization(realmId);
    for (let after: UserId | undefined = errand.afterUser; after !== undefined;) {
      const loaded = await loadMessages(pool, realmId, [messageId], 'now');
      const message = loaded.rows.get(messageId);
      if (!message) return;
      const page = await readRecipients(pool, realmId, message, after, PAGE);
      const told = await this.tellPage(organization, loaded, message, page);
      const last = page.at(-1)?.userId;
      const now = this.kernel.clock.now();
      if (last !== undefined) await notePage(pool, errand, { last, told, at: now, until: takenUntil(this.kernel) });
      after = page.length < PAGE ? undefined : last;
    }
  }

  /** Devices that show a message that is gone are told so. @throws BouncerTrouble */
  async takeBack(errand: Errand): Promise<void> {
    const { realmId, position } = errand;
    const { pool } = this.kernel.database;
    const [event] = (await this.kernel.events.at(realmId, [position])) as Recorded<MessagesDeleted>[];
    if (!event) return;
    const { messageIds } = event.data;
    if (await areUnderWay(pool, realmId, messageIds)) throw new NotYet();
    const organization = await this.organization(realmId);
    for (let after: UserId | undefined = errand.afterUser; after !== undefined;) {
      const page = await readTold(pool, realmId, messageIds, after, PAGE);
      const gone = new Map(page.map(({ userId, messageIds: ids }) => [userId, ids]));
      const devices = await readActiveDevices(pool, realmId, await this.active(realmId, [...gone.keys()]));
      const requests = devices.map((device) =>
        lockedFor(device, removalPayload(organization, device.userId, gone.get(device.userId) ?? []), 'silent'),
      );
      await this.send(organization, devices, requests);
      const last = page.at(-1)?.userId;
      if (last !== undefined) await noteProgress(pool, errand, last, takenUntil(this.kernel));
      after = page.length < PAGE ? undefined : last;
    }
    await forgetTold(pool, realmId, messageIds);
  }

  /** @returns those who were told */
  private async tellPage(
    organization: Organization,
    loaded: LoadedMessages,
    message: MessageRow,
    page: readonly Recipient[],
  ): Promise<readonly UserId[]> {
    const { realmId } = organization;
    const { pool } = this.kernel.database;
    const sender = loaded.users.get(message.senderId);
    if (!sender || page.length === 0) return [];
    const wanted = await this.wanting(realmId, message, page);
    const users = await readUsers(pool, realmId, wanted);
    const byId = new Map(users.map((user) => [user.userId, user]));
    const devices = await readActiveDevices(pool, realmId, wanted);
    const requests = devices.flatMap((device) => {
      const user = byId.get(device.userId);
      return user ? [lockedFor(device, messagePayload(organization, user, message, sender, loaded), 'rings')] : [];
    });
    await this.send(organization, devices, requests);
    return [...new Set(devices.map(({ userId }) => userId))];
  }

  /** Those of a page who want to be notified and can see the message, ascending. */
  private async wanting(realmId: RealmId, message: MessageRow, page: readonly Recipient[]): Promise<UserId[]> {
    const { pool } = this.kernel.database;
    const ids = page.map(({ userId }) => userId);
    const { groupIds, userIds: called, channelWildcard } = message.mentions;
    const settings = await readSettings(pool, realmId, ids);
    const isIn = await readMembership({ client: pool, realmId }, groupIds, ids);
    const moment = { position: message.text.position, at: message.editedAt ?? message.sentAt };
    const wanted: UserId[] = [];
    for (const { userId, channel, topic, topicWildcard, sees } of page) {
      const chosen = settings.get(userId);
      const trigger =
        chosen &&
        triggerOf({
          ...{ isSender: userId === message.senderId, isRead: message.readBy === userId },
          ...{ channel, topic, topicWildcard, channelWildcard, settings: chosen },
          isDirect: message.conversationId !== null,
          isMentioned: called.includes(userId) || groupIds.some((group) => isIn(group, userId, moment)),
          // Nobody's presence is known yet.
          isPresent: false,
        });
      if (trigger && (sees ?? (await this.canSee(realmId, userId, message.id)))) wanted.push(userId);
    }
    return wanted;
  }

  /** Asked of those alone whom a message calls by name where they are not subscribed. */
  private async canSee(realmId: RealmId, userId: UserId, messageId: MessageId): Promise<boolean> {
    try {
      const origin = { client: 'annals', correlation: randomUUID(), address: null };
      const actor = await this.actors.actor(realmId, userId, origin);
      await this.queries.execute(new GetMessage(actor, messageId));
      return true;
    } catch (error) {
      if (error instanceof Rejected) return false;
      throw error;
    }
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
