import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';

export type TypingOp = 'start' | 'stop';

/** Where somebody types; a topic that nobody has written in has no id yet. */
export type TypedPlace =
  | {
      /** Everybody in the conversation, the one who types included; ascending. */
      readonly userIds: readonly UserId[];
    }
  | { readonly channelId: ChannelId; readonly topic: string };

/** What `typing` and `typing_edit_message` signals carry. */
export interface Typing {
  readonly op: TypingOp;
  readonly senderId: UserId;
  readonly place: TypedPlace;
  /** The message that is being edited; null for a new one. */
  readonly messageId: MessageId | null;
}

/** In a channel with more subscribers nobody is told who types (contract/conventions.md section 7). */
export const MAX_SUBSCRIBERS_NOTIFIED = 100;

/** In a conversation of more people neither: a signal, which names them all twice, would not fit into a notification. */
export const MAX_PARTICIPANTS_NOTIFIED = 250;
