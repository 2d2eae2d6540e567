import type { ChannelId, GroupId, Position, Role, UserId } from '@annals/kernel/domain';
import type { FeedReader } from '@annals/kernel';

/** An account as it was at a position. */
export interface Person {
  readonly userId: UserId;
  readonly role: Role;
}

/** What is asked: about these channels and groups, at any position from `from` to `to`. */
export interface RulesAsked {
  readonly channels: readonly ChannelId[];
  readonly groups: readonly GroupId[];
  readonly users: readonly UserId[];
  readonly from: Position;
  readonly to: Position;
}

/** The rules of the contexts that own channels and groups, with their facts at hand. */
export interface LoadedRules {
  mayKnow(channel: ChannelId, person: Person, isMember: boolean, at: Position): boolean;
  maySeeSubscribers(channel: ChannelId, person: Person, isMember: boolean, at: Position): boolean;
  isPublic(channel: ChannelId, at: Position): boolean;
  isInGroup(group: GroupId, person: Person, at: Position): boolean;
}

/** Who may know of a channel and who is in a group: not the feed's to say. */
export abstract class AudienceRules {
  abstract load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules>;
}
