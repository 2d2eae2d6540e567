import type { Actor, GroupSetting, Instant, MessageId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isAdministrator, isModerator, permits, refused } from '@annals/kernel/domain';
import { GRACE_SECONDS } from '../message/message';
import type { MoveRequest } from './move';
import { changesChannel, changesTopic } from './move';
import type { Poster, PostingChannel } from '../policies';
import { fitsTopicsPolicy, senderOrOwnerHas } from '../policies';
import { reject } from '../rejections';

/** The organization's rules for moves. */
export interface MoveRules {
  readonly canMoveBetweenTopics: GroupSetting;
  readonly canMoveBetweenChannels: GroupSetting;
  readonly canResolveTopics: GroupSetting;
  /** Seconds; null is unlimited. */
  readonly betweenTopicsSeconds: number | null;
  /** Seconds; null is unlimited. */
  readonly betweenChannelsSeconds: number | null;
}

/** A channel as the move rules need it. */
export interface MovingChannel extends PostingChannel {
  readonly canMoveWithin: GroupSetting;
  readonly canMoveOut: GroupSetting;
  readonly canResolve: GroupSetting;
  /** Whether the actor administers it. */
  readonly isAdministered: boolean;
}

/** How many messages of the topic the actor can see, and how many of these are recent enough to move. */
export interface TopicAge {
  readonly total: number;
  readonly movable: number;
  /** The oldest of those. */
  readonly firstMovable: MessageId | null;
}

/** The facts that a move is decided on. */
export interface MoveFacts {
  readonly rules: MoveRules;
  readonly origin: MovingChannel;
  /** The same where the channel stays. */
  readonly target: MovingChannel;
  /** The actor in relation to the target. */
  readonly poster: Poster & { readonly sender: Pick<Actor, 'userId' | 'role' | 'groups'> };
  /** Whether there are messages in the target topic. */
  readonly targetExists: boolean;
  /** When the requested message was sent. */
  readonly sentAt: Instant;
  readonly age: TopicAge;
}

/** The facts that permissions to move depend on. */
export interface MovePermissions {
  readonly rules: Pick<MoveRules, 'canMoveBetweenTopics' | 'canMoveBetweenChannels' | 'canResolveTopics'>;
  readonly origin: Pick<MovingChannel, 'canMoveWithin' | 'canMoveOut' | 'canResolve' | 'isAdministered'>;
  readonly target: Pick<MovingChannel, 'canMoveWithin' | 'canResolve' | 'isAdministered'>;
  readonly poster: { readonly sender: Pick<Actor, 'userId' | 'role' | 'groups'> };
}

const anybody = { guests: true };
const noGuests = { guests: false };

/** Contract/messages.md section 5.1 steps 7 to 9: the name of the topic. */
export function mayBeNamed(move: MoveRequest, facts: MoveFacts, at: Instant): Verdict {
  const fits = fitsTopicsPolicy(facts.target.topicsPolicy, move.to.name);
  if (!fits.allowed || !changesTopic(move)) return fits;
  if (move.togglesResolved) return allowedIf(mayResolve(facts), reject.mayNotResolve);
  if (!mayMoveBetweenTopics(facts)) return refused(reject.mayNotMove());
  return inTime(facts, facts.rules.betweenTopicsSeconds, at);
}

/** Steps 11 to 13: the channel, how old the rest of the topic is, and whether the actor may start the target. */
export function mayBeMoved(move: MoveRequest, facts: MoveFacts, at: Instant): Verdict {
  if (changesChannel(move)) {
    if (!mayMoveOut(facts)) return refused(reject.mayNotMove());
    if (!senderOrOwnerHas(facts.target.canSend, facts.poster)) return refused(reject.mayNotSend());
    const soon = inTime(facts, facts.rules.betweenChannelsSeconds, at);
    if (!soon.allowed) return soon;
  }
  const { total, movable } = facts.age;
  const limited = limitOf(move, facts.poster.sender, facts.rules) !== null;
  if (move.mode === 'change_all' && limited && movable < total) return refused(tooLate(facts));
  if (move.togglesResolved || facts.targetExists) return allowed;
  return allowedIf(senderOrOwnerHas(facts.target.canCreateTopic, facts.poster), reject.mayNotCreateTopic);
}

/** Whether the actor may mark topics as resolved and as unresolved. */
export const mayResolve = ({ rules, origin, target, poster: { sender } }: MovePermissions): boolean =>
  [rules.canResolveTopics, origin.canResolve, target.canResolve].some((setting) => permits(setting, sender, anybody));

/** Whether the actor may move messages to another topic. */
export const mayMoveBetweenTopics = ({ rules, origin, target, poster: { sender } }: MovePermissions): boolean =>
  origin.isAdministered ||
  target.isAdministered ||
  [rules.canMoveBetweenTopics, origin.canMoveWithin, target.canMoveWithin].some((setting) =>
    permits(setting, sender, anybody),
  );

/** Whether the actor may move messages out of their channel. */
export const mayMoveOut = ({ rules, origin, poster: { sender } }: MovePermissions): boolean =>
  isAdministrator(sender) ||
  origin.isAdministered ||
  permits(rules.canMoveBetweenChannels, sender, noGuests) ||
  permits(origin.canMoveOut, sender, anybody);

/**
 * Maximum age of a message for this move, in seconds with the grace period; null where there is no limit. When both topic and
 * channel change, the smaller limit counts.
 */
export function limitOf(move: MoveRequest, actor: Pick<Actor, 'role'>, rules: MoveRules): number | null {
  if (isModerator(actor)) return null;
  const limits = [
    changesTopic(move) && !move.togglesResolved ? rules.betweenTopicsSeconds : null,
    changesChannel(move) ? rules.betweenChannelsSeconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits) + GRACE_SECONDS;
}

function inTime(facts: MoveFacts, seconds: number | null, at: Instant): Verdict {
  if (seconds === null || isModerator(facts.poster.sender)) return allowed;
  return allowedIf(at - facts.sentAt <= (seconds + GRACE_SECONDS) * 1000, () => tooLate(facts));
}

const tooLate = ({ age }: MoveFacts) =>
  reject.moveTooLate({
    first_message_id_allowed_to_move: age.firstMovable,
    total_messages_in_topic: age.total,
    total_messages_allowed_to_move: age.movable,
  });
