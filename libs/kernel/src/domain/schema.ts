import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Type as t } from '@sinclair/typebox';
import type { ChannelId, ConversationId, FileId, GroupId, Id, MessageId, TopicId, UserId } from './ids';

export { t };
export type { Static, TObject, TSchema };

const id = <T extends Id<string>>() => t.Unsafe<T>(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

export const userId = id<UserId>();
export const groupId = id<GroupId>();
export const channelId = id<ChannelId>();
export const topicId = id<TopicId>();
export const conversationId = id<ConversationId>();
export const messageId = id<MessageId>();
export const fileId = id<FileId>();
export const count = t.Integer({ minimum: 0 });
/** A value or null. */
export const nullable = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()]);
/** One of these strings. */
export const words = <const T extends readonly string[]>(...values: T) =>
  t.Unsafe<T[number]>(t.Union(values.map((value) => t.Literal(value))));
