declare const brand: unique symbol;

/** A number that is an id of one kind only. At run time it is a plain number. */
export type Id<Kind extends string> = number & { readonly [brand]: Kind };

export type RealmId = Id<'realm'>;
export type UserId = Id<'user'>;
export type GroupId = Id<'group'>;
export type ChannelId = Id<'channel'>;
export type TopicId = Id<'topic'>;
/** A conversation of direct messages between a fixed set of people. */
export type ConversationId = Id<'conversation'>;
/** Number of an event in its realm's log: 1, 2, 3 … without a gap. */
export type Position = Id<'position'>;
/** The position of the message's `messages.MessageSent` event. */
export type MessageId = Id<'message'>;
/** The position of the file's `files.FileUploaded` event. */
export type FileId = Id<'file'>;

/** Milliseconds since the UNIX epoch, UTC. */
export type Instant = Id<'instant'>;

/** Whole UNIX seconds, the unit of timestamps in the API (contract/conventions.md section 6). */
export const unixSeconds = (at: Instant): number => Math.floor(at / 1000);

/** The message that the `messages.MessageSent` event at a position sent. */
export const messageIdAt = (position: Position): MessageId => position as number as MessageId;

/** Ids in ascending order. */
export const ascending = <One extends number>(ids: Iterable<One>): One[] => [...ids].sort((a, b) => a - b);
