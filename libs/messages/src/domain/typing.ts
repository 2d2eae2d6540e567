import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';

export type TypingOp = 'start' | 'stop';

/** The place in which a user types; a new topic has no id yet. */
export type TypedPlace =
  | {
      /** All users of the conversation, the sender included; ascending. */
      readonly userIds: readonly UserId[];
    }
  | { readonly channelId: ChannelId; readonly topic: string };

/** Payload of the signals `typing` and `typing_edit_message`. */
export interface Typing {
  readonly op: TypingOp;
  readonly senderId: UserId;
  readonly place: TypedPlace;
  /** The message that is being edited; null for a new one. */
  readonly messageId: MessageId | null;
}

/** In a channel with more subscribers nobody is notified (contract/conventions.md section 7). */
export const MAX_SUBSCRIBERS_NOTIFIED = 100;

/** In a conversation of more users nobody is notified: a signal with all of them twice would exceed the size of a wake-up. */
export const MAX_PARTICIPANTS_NOTIFIED = 250;
