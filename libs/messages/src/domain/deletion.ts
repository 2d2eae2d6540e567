import type { Actor, GroupSetting, Instant, MessageId, Position, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, defineAggregate, fact, isAdministrator, permits, refused } from '@annals/kernel/domain';
import type { Place } from './events';
import { DisownedDeleted, MessagesDeleted, TopicEnded } from './events';
import { reject } from './rejections';
import type { Topic } from './topic';

/** A message that somebody wants to be gone, as it is now. */
export interface Deletable {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly sentAt: Instant;
  readonly place: Place;
  /** Position at which it came into its channel. */
  readonly arrived: Position;
}

/** Who may delete messages, as the organization or a channel says. */
export interface DeletionGroups {
  readonly any: GroupSetting;
  readonly own: GroupSetting;
}

export interface DeletionRules {
  readonly organization: DeletionGroups;
  /** Null for direct messages. */
  readonly channel: DeletionGroups | null;
  /** For one's own messages, in seconds; null is unlimited. */
  readonly limitSeconds: number | null;
}

/**
 * Whether the actor, who can read the message, may delete it now (contract/messages.md section 6.1). Unlike edits, nobody
 * is given time for the way.
 *
 * @param botOwnerId owner of the bot that sent it; null where none did or the bot has no owner
 */
export function mayDelete(
  message: Pick<Deletable, 'senderId' | 'sentAt'>,
  botOwnerId: UserId | null,
  actor: Pick<Actor, 'userId' | 'role' | 'groups'>,
  { organization, channel, limitSeconds }: DeletionRules,
  at: Instant,
): Verdict {
  const holds = (setting: GroupSetting | undefined) =>
    setting !== undefined && permits(setting, actor, { guests: true });
  if (permits(organization.any, actor, { guests: false }) || holds(channel?.any)) return allowed;
  const isOwn = message.senderId === actor.userId || botOwnerId === actor.userId;
  if (!isOwn || !(holds(organization.own) || holds(channel?.own))) return refused(reject.mayNotDelete());
  return allowedIf(limitSeconds === null || at - message.sentAt <= limitSeconds * 1000, reject.deleteTooLate);
}

/** Whether the actor, who can read the channel, may delete whole topics of it (INTERFACE.md 4.12). */
export const mayDeleteTopics = (actor: Pick<Actor, 'role'>): Verdict =>
  allowedIf(isAdministrator(actor), reject.administratorNeeded);

/**
 * Messages of one place are gone.
 *
 * @param messages ascending, at least one
 * @param protectsHistory whether their channel shows people only what came to them
 */
export function deleteMessages(messages: readonly Deletable[], protectsHistory: boolean): MessagesDeleted {
  const [first] = messages;
  if (!first) throw new Error('nothing is to be deleted');
  return fact(MessagesDeleted, {
    place: first.place,
    messageIds: messages.map(({ id }) => id),
    ...(protectsHistory && { arrived: messages.map(({ arrived }) => arrived) }),
  });
}

/** The topic has lost its last message. */
export const endTopic = (topic: Topic | null): TopicEnded[] =>
  topic === null
    ? []
    : [fact(TopicEnded, { topicId: topic.id, channelId: topic.channelId }, { name: topic.name ?? '' })];

/** Stream `disowned-{order}`: whether nothing is left to be done about an order of somebody who has left. */
export const disownedAggregate = defineAggregate<boolean, DisownedDeleted>('disowned', false, () => true);

/** Says it once, whoever of several workers finds nothing left. */
export const endOrder = (isDone: boolean, senderId: UserId, order: Position): DisownedDeleted[] =>
  isDone ? [] : [fact(DisownedDeleted, { senderId, order })];
