import type { Actor, Instant, MessageId, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, defineAggregate, fact, refused } from '@annals/kernel/domain';
import type { ContentFacts, MessageEvent, Place, Words } from '../events';
import { ContentEdited, MessageSent, messageIdAt } from '../events';
import { reject } from '../rejections';

/** A message as rules need it; null when there is none. */
export interface Message {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly place: Place;
  /** Null once it was erased. */
  readonly content: string | null;
  readonly sentAt: Instant;
}

export const messageAggregate = defineAggregate<Message | null, MessageEvent, MessageId>(
  'message',
  null,
  (state, event) => {
    const content = event.sealed === 'erased' ? null : event.sealed.content;
    switch (event.type) {
      case 'messages.MessageSent': {
        const { senderId, place } = event.data;
        return { id: messageIdAt(event.position), senderId, place, content, sentAt: event.at };
      }
      case 'messages.ContentEdited':
        return state && { ...state, content };
    }
  },
);

/** A text that was looked into: what it says, what its names mean, whom it calls. */
export interface AnalyzedContent {
  readonly words: Words;
  readonly facts: ContentFacts;
}

/** Who sends what where. */
export interface NewMessage {
  readonly place: Place;
  readonly senderId: UserId;
  readonly text: AnalyzedContent;
  readonly readBySender: boolean;
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
}

/** The message as a fact; whether it may be sent was asked before. */
export const send = ({ place, senderId, text, readBySender, echo }: NewMessage): MessageSent =>
  fact(MessageSent, { place, senderId, ...text.facts, readBySender, ...(echo && { echo }) }, text.words);

/** What the server itself says, through its notification bot. */
export interface Notice {
  readonly place: Place;
  readonly botId: UserId;
  readonly text: AnalyzedContent;
  /** Who has read it by causing it; null where they do not get it. */
  readonly readBy: UserId | null;
  readonly about?: NoticeAbout;
}

/** Notices that others look for later. */
export type NoticeAbout = 'resolution';

/** The notice as a fact; it is a message like any other. */
export function sendNotice({ place, botId, text, readBy, about }: Notice): MessageSent {
  const notice = { readBy, ...(about && { about }) };
  return fact(MessageSent, { place, senderId: botId, ...text.facts, readBySender: false, notice }, text.words);
}

/** Seconds a client is given beyond every time limit, for the way of its request (contract/messages.md section 5.1). */
export const GRACE_SECONDS = 20;

/** What the organization says about edits. */
export interface EditRules {
  readonly allowEditing: boolean;
  /** Seconds; null is unlimited. */
  readonly limitSeconds: number | null;
}

/**
 * Whether the actor may replace the text of this message now (contract/messages.md section 5.1 step 2).
 *
 * @param graceSeconds given beyond the time limit
 */
export function mayEditContent(
  message: Pick<Message, 'senderId' | 'sentAt'>,
  actor: Pick<Actor, 'userId'>,
  rules: EditRules,
  at: Instant,
  graceSeconds = GRACE_SECONDS,
): Verdict {
  if (!rules.allowEditing) return refused(reject.editingDisabled());
  if (message.senderId !== actor.userId) return refused(reject.notTheSender());
  if (rules.limitSeconds === null) return allowed;
  return allowedIf(at - message.sentAt <= (rules.limitSeconds + graceSeconds) * 1000, reject.editTooLate);
}

/**
 * Refuses an edit that was made from another text than the stored one (contract/messages.md section 5.1 step 5).
 *
 * @param expected lower-case hex SHA-256 of the text the client edited; null when it did not say
 */
export function unlessContentChanged(
  message: Message,
  expected: string | null,
  digest: (text: string) => string,
): Verdict {
  if (expected === null) return allowed;
  return allowedIf(message.content !== null && digest(message.content) === expected, reject.contentChanged);
}

/** Replaces the text of one message; an edit that changes nothing leaves no event (INTERFACE.md 4.1). */
export const editContent = (message: Message, text: AnalyzedContent): ContentEdited[] =>
  text.words.content === message.content
    ? []
    : [fact(ContentEdited, { messageId: message.id, ...text.facts }, text.words)];
