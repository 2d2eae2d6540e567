import type { Actor, GroupSetting, Instant, MessageId, Position, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, defineAggregate, fact, isAdministrator, permits, refused } from '@annals/kernel/domain';
import type { Place } from './events';
import { DisownedDeleted, MessagesDeleted, TopicEnded } from './events';
import { reject } from './rejections';
import type { Topic } from './topic';

/** A message that may be deleted, as it is now. */
export interface Deletable {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly sentAt: Instant;
  readonly place: Place;
  /** Position at which it arrived in its channel. */
  readonly arrived: Position;
}

/** Groups that may delete messages, set by the organization or a channel. */
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
 * Whether the actor, who can read the message, may delete it now (contract/messages.md section 6.1). Unlike for
 * edits, there is no grace period.
 *
 * @param botOwnerId owner of the bot that sent it; null where none did or the bot has no owner
 */
export function mayDelete(
  message: Pick<Deletable, 'senderId' | 'sentAt'>,
  botOwnerId: UserId | null,
  actor: Deleter,
  rules: DeletionRules,
  at: Instant,
): Verdict {
  if (mayDeleteOfOthers(actor, rules)) return allowed;
  const { organization, channel, limitSeconds } = rules;
  const isOwn = message.senderId === actor.userId || botOwnerId === actor.userId;
  if (!isOwn || !(holds(organization.own, actor) || holds(channel?.own, actor))) return refused(reject.mayNotDelete());
  return allowedIf(limitSeconds === null || at - message.sentAt <= limitSeconds * 1000, reject.deleteTooLate);
}

/**
 * Whether the actor may restore a message (contract/audit.md section 11). A user who may delete messages of others may.
 * A user who may only delete own ones needs the permission to send there, too: otherwise a message would come back where the
 * actor may not write. The time limit for deletions does not count.
 *
 * @param maySend asked only for own messages
 */
export async function mayRestore(
  message: Pick<Deletable, 'senderId' | 'sentAt'>,
  botOwnerId: UserId | null,
  actor: Deleter,
  rules: DeletionRules,
  maySend: () => Promise<Verdict>,
): Promise<Verdict> {
  if (mayDeleteOfOthers(actor, rules)) return allowed;
  const verdict = mayDelete(message, botOwnerId, actor, { ...rules, limitSeconds: null }, message.sentAt);
  return verdict.allowed ? maySend() : verdict;
}

type Deleter = Pick<Actor, 'userId' | 'role' | 'groups'>;

const holds = (setting: GroupSetting | undefined, actor: Deleter): boolean =>
  setting !== undefined && permits(setting, actor, { guests: true });

const mayDeleteOfOthers = (actor: Deleter, { organization, channel }: DeletionRules): boolean =>
  permits(organization.any, actor, { guests: false }) || holds(channel?.any, actor);

/** Whether the actor, who can read the channel, may delete whole topics of it (INTERFACE.md 4.12). */
export const mayDeleteTopics = (actor: Pick<Actor, 'role'>): Verdict =>
  allowedIf(isAdministrator(actor), reject.administratorNeeded);

/**
 * Deletes messages of one place.
 *
 * @param messages ascending, at least one
 * @param protectsHistory whether subscribers of the channel see only messages that arrived while they were subscribed
 */
export function deleteMessages(messages: readonly Deletable[], protectsHistory: boolean): MessagesDeleted {
  const [first] = messages;
  if (!first) throw new Error('there are no messages to delete');
  return fact(MessagesDeleted, {
    place: first.place,
    messageIds: messages.map(({ id }) => id),
    ...(protectsHistory && { arrived: messages.map(({ arrived }) => arrived) }),
  });
}

/** Ends a topic whose last message was deleted. */
export const endTopic = (topic: Topic | null): TopicEnded[] =>
  topic === null
    ? []
    : [fact(TopicEnded, { topicId: topic.id, channelId: topic.channelId }, { name: topic.name ?? '' })];

/** State of an order to delete the messages of a deleted account. */
export type OrderState = 'open' | 'done';

/** Stream `disowned-{order}`. */
export const orphanedAggregate = defineAggregate<OrderState, DisownedDeleted>('disowned', 'open', () => 'done');

/** Records once that an order is done, also when several workers find no message left. */
export const endOrder = (state: OrderState, senderId: UserId, order: Position): DisownedDeleted[] =>
  state === 'done' ? [] : [fact(DisownedDeleted, { senderId, order })];
