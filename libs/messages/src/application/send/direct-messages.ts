import { memberKey, stillMember } from '@annals/channels';
import { ActorReader } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ConversationId, UserId, Verdict } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { Realm } from '@annals/realm';
import { isRestricted } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserAccess, EmailDirectory, UserFacts, Viewers, emailFor } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { conversationAggregate, openConversation, participants } from '../../domain/conversation';
import type { DirectMessageRecipient } from '../../domain/policies';
import { mayStartConversation, mayWriteTo } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { readSharedChannels } from '../../read/visibility/user-access';
import { keyOfConversation, newestInConversation } from '../../read/placement/conversation-facts';
import type { NamedPeople } from '../../domain/recipients';
import { messageKey, messageThere } from '../access/guards';

interface DirectPlace {
  readonly conversationId: ConversationId;
  readonly userIds: UserId[];
}

/** Finds the place of a direct message within a unit of work. Everything but new conversations is read from caches. */
@Injectable()
export class DirectMessages {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly book: EmailDirectory,
    private readonly viewers: Viewers,
    private readonly userAccess: UserAccess,
    private readonly actors: ActorReader,
  ) {}

  /**
   * The users of a conversation that the actor may write to, the actor included. Nothing is written; `open` opens it.
   *
   * @returns distinct ids, ascending
   * @throws Rejected BAD_REQUEST (contract/messages.md section 3, DM rules)
   */
  async people(work: Work, named: NamedPeople, { settings, systemGroups }: NonNullable<Realm>): Promise<UserId[]> {
    const { actor } = work;
    const accounts = await this.accounts(actor, named);
    const userIds = participants(
      actor.userId,
      accounts.map(({ userId }) => userId),
    );
    const conversation = await work.read(conversationAggregate, keyOfConversation(userIds));
    if (conversation === null && isRestricted(actor, { settings, systemGroups }))
      await this.dependOnChannels(work, userIds);
    const others = accounts.filter(({ userId }) => userId !== actor.userId);
    const recipients = await Promise.all(others.map((account) => this.recipient(actor, account)));
    const rules = rulesOf({ settings, systemGroups });
    const asks = conversation !== null && !mayStartConversation(actor, rules);
    const isOpen = asks ? await this.isInUse(work, conversation.id) : conversation !== null;
    ensure(mayWriteTo(recipients, actor, isOpen, rules));
    return userIds;
  }

  /** Whether the actor may write in a conversation that has or had messages. Deactivated participants do not count. */
  async mayContinue(work: Work, userIds: readonly UserId[], realm: NonNullable<Realm>): Promise<Verdict> {
    const { actor } = work;
    const others = userIds.filter((id) => id !== actor.userId);
    const accounts = [...(await this.users.accounts(work.realmId, others)).values()];
    const active = accounts.filter(({ isActive }) => isActive);
    const recipients = await Promise.all(active.map((account) => this.recipient(actor, account)));
    return mayWriteTo(recipients, actor, true, rulesOf(realm));
  }

  /** A guest may write first to users whom they see through a channel, while both are subscribed to it. */
  private async dependOnChannels(work: Work, userIds: readonly UserId[]): Promise<void> {
    const { realmId, actor } = work;
    for (const { userId, channelId } of await readSharedChannels(
      this.kernel.database.pool,
      realmId,
      actor.userId,
      userIds,
    )) {
      for (const member of [actor.userId, userId]) work.guard(stillMember, memberKey(channelId, member));
    }
  }

  /** Whether the conversation has messages; the append depends on the newest of them. */
  private async isInUse(work: Work, conversation: ConversationId): Promise<boolean> {
    const newest = await newestInConversation(this.kernel.database.pool, work.realmId, conversation);
    if (newest !== undefined) work.guard(messageThere, messageKey(newest));
    return newest !== undefined;
  }

  /**
   * The conversations of several sets of users, in their order; new ones are opened. No permission is checked.
   *
   * @param each distinct ids, ascending
   */
  async open(work: Work, each: readonly UserId[][]): Promise<DirectPlace[]> {
    const known = await work.readAll(conversationAggregate, each.map(keyOfConversation));
    const missing = known.filter((conversation) => conversation === null).length;
    const ids = missing === 0 ? [] : await this.kernel.ids.take(work.realmId, 'conversation', missing);
    const places: DirectPlace[] = [];
    for (const userIds of each) {
      const key = keyOfConversation(userIds);
      const conversationId = (await work.read(conversationAggregate, key))?.id ?? ids.shift();
      if (conversationId === undefined) throw new Error('more conversations are new than were counted');
      await work.decide(conversationAggregate, key, (state) => openConversation(state, conversationId, userIds));
      places.push({ conversationId, userIds });
    }
    return places;
  }

  private async accounts(by: Actor, named: NamedPeople): Promise<UserRow[]> {
    if (named.length === 0) throw reject.noRecipients();
    const ids = await this.ids(by, named);
    const accounts = await this.users.accounts(by.realmId, ids);
    if (accounts.size < ids.length) throw reject.unknownRecipient();
    // An inaccessible user is like an unknown one; a user who has just left the guest's channel may still be written to.
    if ((await this.userAccess.inaccessibleAmong(by, ids)).size > 0) throw reject.unknownRecipient();
    return [...accounts.values()];
  }

  private async ids(by: Actor, named: NamedPeople): Promise<number[]> {
    if (typeof named[0] === 'number') return [...new Set(named as readonly number[])];
    const emails = named as readonly string[];
    const found = await this.book.find(by, emails);
    if (!emails.every((email) => found.has(email))) throw reject.unknownRecipient();
    return [...new Set(found.values())];
  }

  private async recipient(by: Actor, account: UserRow): Promise<DirectMessageRecipient> {
    const { realmId, origin } = by;
    const { userId, role, botType, isActive } = account;
    const email = emailFor(account, await this.viewers.of(by));
    const groups = isActive ? (await this.actors.actor(realmId, userId, origin)).groups : new Set<never>();
    return { userId, role, botType, isActive, email, groups };
  }
}

const rulesOf = ({ settings, systemGroups }: Pick<NonNullable<Realm>, 'settings' | 'systemGroups'>) => ({
  permission: settings.direct_message_permission_group,
  initiator: settings.direct_message_initiator_group,
  nobody: systemGroups.nobody,
});
