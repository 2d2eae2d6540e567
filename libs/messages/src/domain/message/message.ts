import type { Actor, Instant, MessageId, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, defineAggregate, fact, messageIdAt, refused } from '@annals/kernel/domain';
import type { MessageContentFacts, MessageEvent, Place, SealedText } from '../events';
import { ContentEdited, MessageSent } from '../events';
import { reject } from '../rejections';
import type { MessageWidget } from '../widgets/widget-text';
import { widgetOf } from '../widgets/widget-text';

/** A message as decisions need it; null when there is none. */
export interface Message {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly place: Place;
  /** Null once it was erased. */
  readonly content: string | null;
  readonly sentAt: Instant;
  /** Null for a message that is a text alone. */
  readonly widget: MessageWidget | null;
}

export const messageAggregate = defineAggregate<Message | null, MessageEvent, MessageId>(
  'message',
  null,
  (state, event) => {
    const content = event.sealed === 'erased' ? null : event.sealed.content;
    switch (event.type) {
      case 'messages.MessageSent': {
        const { senderId, place, widget = null } = event.data;
        return { id: messageIdAt(event.position), senderId, place, content, sentAt: event.at, widget };
      }
      case 'messages.ContentEdited':
        return state && { ...state, content };
    }
  },
);

/** An analyzed text: the text, what its names mean, and facts such as its mentions. */
export interface AnalyzedContent {
  readonly words: SealedText;
  readonly facts: MessageContentFacts;
}

/** A message to send. */
export interface NewMessage {
  readonly place: Place;
  readonly senderId: UserId;
  readonly text: AnalyzedContent;
  readonly readBySender: boolean;
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
  /** How a `zform` begins; absent for other messages. */
  readonly zform?: string | null;
}

/** Sends a message; permissions are checked before. */
export function send({ place, senderId, text, readBySender, echo, zform = null }: NewMessage): MessageSent {
  const widget: MessageWidget | null = zform === null ? widgetOf(text.words.content) : 'zform';
  const optional = { ...(widget && { widget }), ...(echo && { echo }) };
  const words = zform === null ? text.words : { ...text.words, zform };
  return fact(MessageSent, { place, senderId, ...text.facts, readBySender, ...optional }, words);
}

/** A message of the notification bot or another system bot. */
export interface BotNotice {
  readonly place: Place;
  readonly botId: UserId;
  readonly text: AnalyzedContent;
  /** The user who caused it and has therefore read it. Null if they do not receive it. */
  readonly readBy: UserId | null;
  readonly about?: NoticeAbout;
  /** The only users for whom it is unread; absent for all who receive it. */
  readonly unreadFor?: readonly UserId[];
}

/** Subjects of notices that are looked up later. */
export type NoticeAbout = 'resolution';

/** Sends a notice, which is a message like any other. */
export function sendNotice({ place, botId, text, readBy, about, unreadFor }: BotNotice): MessageSent {
  const notice = { readBy, ...(about && { about }), ...(unreadFor && { unreadFor: [...unreadFor] }) };
  return fact(MessageSent, { place, senderId: botId, ...text.facts, readBySender: false, notice }, text.words);
}

/** Grace period beyond every time limit, in seconds (contract/messages.md section 5.1). */
export const GRACE_SECONDS = 20;

/** The organization's rules for edits. */
export interface EditRules {
  readonly allowEditing: boolean;
  /** Seconds; null is unlimited. */
  readonly limitSeconds: number | null;
}

/**
 * Whether the actor may replace the text of this message now (contract/messages.md section 5.1 step 2).
 *
 * @param graceSeconds beyond the time limit
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

/** Whether the message has a text that may be replaced (section 5.1 step 4). The text of a widget is where it begins. */
export const hasEditableText = ({ widget }: Pick<Message, 'widget'>): Verdict =>
  allowedIf(widget === null, reject.widgetNotEditable);

/**
 * Refuses an edit whose client had another text than the stored one (contract/messages.md section 5.1 step 5).
 *
 * @param expected lower-case hex SHA-256 of the text that the client edited; null if it gave none
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
