import type { ChannelId, GroupId, Position, Role, UserId } from '@annals/kernel/domain';
import type { FeedReader } from '@annals/kernel';
import type { AudienceNeeds, Moment } from '../../domain/audience';

/** An account as it was when something happened. */
export interface Person {
  readonly userId: UserId;
  readonly role: Role;
}

/** What the rules will be asked about, at moments of some events. */
export interface RulesAsked extends Omit<AudienceNeeds, 'members' | 'since'> {
  readonly users: readonly UserId[];
  /** Of the first of the events. */
  readonly first: Position;
}

/** The rules of the contexts that own channels and groups, with their facts at hand. */
export interface LoadedRules {
  /** Metadata access; the subscriber list goes with it where these contexts say so. */
  mayKnow(channel: ChannelId, person: Person, isMember: boolean, on: Moment): boolean;
  /** Content access. */
  mayRead(channel: ChannelId, person: Person, isMember: boolean, on: Moment): boolean;
  maySeeSubscribers(channel: ChannelId, person: Person, isMember: boolean, on: Moment): boolean;
  isPublic(channel: ChannelId, on: Moment): boolean;
  isInGroup(group: GroupId, person: Person, on: Moment): boolean;
}

/** Who may know of a channel and who is in a group: not the feed's to say. */
export abstract class AudienceRules {
  /**
   * Query: from where to where in the log guests could not see everybody (contract/permissions.md section 7), as
   * `realm_id`, `from_position` and `to_position`, which is null while it lasts.
   */
  abstract readonly restrictions: string;
  abstract load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules>;
}
