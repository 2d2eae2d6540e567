import type { Audience, MessageId, Position } from '@annals/kernel/domain';

/** When messages came to a channel that shows people only what came to them, and who has any of them and can read it. */
export interface ProtectedMessages {
  readonly holders: Audience;
  readonly arrived: ReadonlyMap<MessageId, Position>;
}

/** What is known of messages that one fact changed; both parts null where history is shared. */
export interface ProtectedHistory {
  /** In the channel where they are after the fact. */
  readonly after: ProtectedMessages | null;
  /** In the one they left for another. */
  readonly before: ProtectedMessages | null;
}
