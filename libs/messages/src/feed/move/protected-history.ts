import type { Audience, MessageId, Position } from '@annals/kernel/domain';

/** Messages of a channel with protected history: their arrival, and users who have any of them and can read the channel. */
export interface ProtectedMessages {
  readonly holders: Audience;
  readonly arrived: ReadonlyMap<MessageId, Position>;
}

/** Protected history of the messages of one event; both parts are null where history is shared. */
export interface ProtectedHistory {
  /** In the channel where they are after the event. */
  readonly after: ProtectedMessages | null;
  /** In the channel that they were moved from. */
  readonly before: ProtectedMessages | null;
}
