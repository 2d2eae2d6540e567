export type {
  ChannelId,
  ConversationId,
  FileId,
  GroupId,
  Id,
  Instant,
  MessageId,
  Position,
  RealmId,
  TopicId,
  UserId,
} from './ids';
export { ascending, messageIdAt, unixSeconds } from './ids';
export { grouped } from './grouped';
export type { RefusalName } from './refusal-names';
export type { Refusal, RejectionExtra, ShownRefusal, Verdict } from './rejection';
export { Rejected, allowed, allowedIf, ensure, refused, rejection } from './rejection';
export type { Actor, BotType, Origin, RoleName } from './actor';
export {
  ORGANIZATION_STREAM,
  ROLES,
  ROLE_NAMES,
  Role,
  accountStream,
  isAdministrator,
  isBot,
  isGuest,
  isModerator,
  isOwner,
  permits,
  roleName,
} from './actor';
export type { GroupSetting, SystemGroup, WireGroupSetting } from './group-setting';
export {
  SYSTEM_GROUPS,
  groupSetting,
  namedBy,
  namedInSettings,
  normalGroupSetting,
  presentGroupSetting,
  sameGroupSetting,
} from './group-setting';
export type { Static, TObject, TSchema } from './schema';
export type { ShapeProblem } from './shape';
export { Shape } from './shape';
export {
  channelId,
  conversationId,
  count,
  fileId,
  groupId,
  messageId,
  nullable,
  t,
  topicId,
  userId,
  words,
} from './schema';
export type { Defaults, EventDefinition, Fact, FactOf, Erasable, Metadata, Recorded, Subject, Upcaster } from './event';
export { aboutRealm, defineEvent, fact, following, withDefaults } from './event';
export type { Aggregate } from './aggregate';
export { PENDING, defineAggregate, fold } from './aggregate';
export { ForwardFold } from './history/forward-fold';
export type { Span } from './history/span';
export { contains, covers, intersection, isCurrent, overlaps, spansAsOf } from './history/span';
export type { Language } from './languages';
export { LANGUAGES, LANGUAGE_CODES } from './languages';
export type { LogPoint, Moment } from './history/moment';
export { badMoment, isInCalendar, parseMoment } from './history/moment';
export { readOnlyPast } from './read-only-past';
export type { Clock } from './clock';
export { DAY_MS, HOUR_MS, ManualClock } from './clock';
export type { EmojiType } from './emoji-types';
export { EMOJI_TYPES } from './emoji-types';
export type { Audience, ClientEvent } from './client-event';
export { ReadyJson } from './ready-json';
