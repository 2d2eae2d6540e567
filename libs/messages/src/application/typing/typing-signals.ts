import { subscriberCounts, subscribersOf } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import type { Typing } from '../../domain/typing';
import { MAX_PARTICIPANTS_NOTIFIED, MAX_SUBSCRIBERS_NOTIFIED } from '../../domain/typing';
import { readersAmong } from '../../read/visibility/readers-among';

/** Sends typing notifications as signals, of which nothing is stored (contract/messages.md section 9). */
@Injectable()
export class TypingSignals {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly settings: OwnSettingsFacts,
  ) {}

  /** @throws Rejected BAD_REQUEST when the user has turned typing notifications off */
  async ensureEnabled(by: Actor, where: 'channel' | 'direct'): Promise<void> {
    const settings = await this.settings.of(by.realmId, by.userId);
    if (where === 'channel' && !settings.send_stream_typing_notifications) throw reject.channelTypingDisabled();
    if (where === 'direct' && !settings.send_private_typing_notifications) throw reject.directTypingDisabled();
  }

  /** Notifies users of the place who can see it and want typing notifications; nobody where there are too many users. */
  async send(realmId: RealmId, typing: Typing): Promise<void> {
    const people = await this.peopleIn(realmId, typing);
    if (people.length === 0) return;
    const accounts = await this.users.accounts(realmId, people);
    const active = people.filter((userId) => accounts.get(userId)?.isActive);
    const users = await this.settings.usersWith(realmId, active, 'receives_typing_notifications', true);
    if (users.length === 0) return;
    const type = typing.messageId === null ? 'typing' : 'typing_edit_message';
    this.kernel.signals.send(realmId, { type, audience: { kind: 'users', users }, payload: { ...typing } });
  }

  private async peopleIn(realmId: RealmId, { place, messageId }: Typing): Promise<readonly UserId[]> {
    if ('userIds' in place) return place.userIds.length > MAX_PARTICIPANTS_NOTIFIED ? [] : place.userIds;
    const subscribers = await this.subscribers(realmId, place.channelId);
    return messageId === null ? subscribers : this.readers(realmId, messageId, subscribers);
  }

  /** None where there are too many, which are not read then. */
  private async subscribers(realmId: RealmId, channelId: ChannelId): Promise<readonly UserId[]> {
    const { pool } = this.kernel.database;
    const count = (await subscriberCounts(pool, realmId, [channelId])).get(channelId) ?? 0;
    if (count > MAX_SUBSCRIBERS_NOTIFIED) return [];
    return (await subscribersOf(pool, realmId, [channelId])).get(channelId) ?? [];
  }

  private readers(realmId: RealmId, messageId: MessageId, subscribers: readonly UserId[]): Promise<UserId[]> {
    return readersAmong(this.kernel.database.pool, realmId, messageId, subscribers);
  }
}
