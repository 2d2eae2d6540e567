import type { ChannelId, GroupId, LogPoint, Position, Role, UserId } from '@annals/kernel/domain';
import type { FeedReader } from '@annals/kernel';
import type { AudienceNeeds } from '../../domain/audience';

/** An account as it was when an event happened. */
export interface AudiencePerson {
  readonly userId: UserId;
  readonly role: Role;
}

/** The facts that audiences need of the rules, at positions of some events. */
export interface RulesAsked extends Omit<AudienceNeeds, 'members' | 'since'> {
  readonly users: readonly UserId[];
  /** The position of the first event. */
  readonly first: Position;
}

/** The rules of the contexts that own channels and groups, with their facts loaded. */
export interface LoadedRules {
  /** Metadata access. It includes the subscriber list where these contexts say so. */
  mayKnow(channel: ChannelId, person: AudiencePerson, isMember: boolean, on: LogPoint): boolean;
  /** Content access. */
  mayRead(channel: ChannelId, person: AudiencePerson, isMember: boolean, on: LogPoint): boolean;
  maySeeSubscribers(channel: ChannelId, person: AudiencePerson, isMember: boolean, on: LogPoint): boolean;
  isPublic(channel: ChannelId, on: LogPoint): boolean;
  isInGroup(group: GroupId, person: AudiencePerson, on: LogPoint): boolean;
}

/** Decides who may know of a channel and who is in a group. Other contexts implement this. */
export abstract class AudienceRules {
  /**
   * Query: the stretches of the log in which guests could not see everybody (contract/permissions.md section 7), as
   * `realm_id`, `from_position` and `to_position`. `to_position` is null while the restriction lasts.
   */
  abstract readonly restrictions: string;
  abstract load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules>;
}
