import type { ChannelId, GroupId, Position, UserId } from './ids';
import type { Role } from './actor';

/**
 * The users who receive a client event, as a small expression. It is evaluated at delivery with the facts at the event's
 * position. It is a list of recipients only if the act itself names people.
 */
export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'users'; readonly users: readonly UserId[] }
  | { readonly kind: 'roles'; readonly atMost: Role }
  | { readonly kind: 'guests' }
  /** Subscribers of the channel. */
  | { readonly kind: 'members'; readonly channel: ChannelId }
  /** Those who were subscribed to the channel at one of these places of the log, which are ascending. */
  | { readonly kind: 'members-at'; readonly channel: ChannelId; readonly positions: readonly Position[] }
  /** Those who may know that the channel exists (contract/permissions.md section 6, metadata). */
  | { readonly kind: 'metadata'; readonly channel: ChannelId }
  /** Those who may read the channel's messages as they come (contract/permissions.md section 6, content). */
  | { readonly kind: 'content'; readonly channel: ChannelId }
  /** Those who may see who is subscribed (contract/permissions.md section 6, subscriber list). */
  | { readonly kind: 'subscriber-list'; readonly channel: ChannelId }
  | { readonly kind: 'group'; readonly group: GroupId }
  /** Queues registered with `all_public_streams`, while the channel is public and their user no guest; for messages. */
  | { readonly kind: 'all-public'; readonly channel: ChannelId }
  | { readonly kind: 'any'; readonly of: readonly Audience[] }
  | { readonly kind: 'but'; readonly these: Audience; readonly not: Audience };

/** A client event before delivery. It has ids and booleans only: texts are read from the log at delivery. */
export interface ClientEvent {
  /** Event type in the API: `message`, `stream` … */
  readonly type: string;
  readonly audience: Audience;
  /** The facts from which the presenter of this type writes the JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
}
