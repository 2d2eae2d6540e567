import type { Audience, ChannelId, GroupId, Position, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles } from '@annals/kernel/domain';

/** Facts as they were after the event at a position. */
export interface AudienceFacts {
  /** Role of an active account; null when there was none. */
  roleOf(user: UserId, position: Position): Role | null;
  isMember(channel: ChannelId, user: UserId, position: Position): boolean;
  /** Metadata access (contract/permissions.md section 6). */
  mayKnow(channel: ChannelId, user: UserId, position: Position): boolean;
  maySeeSubscribers(channel: ChannelId, user: UserId, position: Position): boolean;
  isPublic(channel: ChannelId, position: Position): boolean;
  isInGroup(group: GroupId, user: UserId, position: Position): boolean;
}

/** Whose queue it is, and the one thing of the queue that an audience may depend on. */
export interface Listener {
  readonly userId: UserId;
  readonly allPublicStreams: boolean;
}

/** Whether an event at this position is for this queue. */
export function addresses(audience: Audience, listener: Listener, at: Position, facts: AudienceFacts): boolean {
  const { userId } = listener;
  switch (audience.kind) {
    case 'everyone':
      return facts.roleOf(userId, at) !== null;
    case 'users':
      return audience.users.includes(userId);
    case 'roles':
      return (facts.roleOf(userId, at) ?? Infinity) <= audience.atMost;
    case 'guests':
      return facts.roleOf(userId, at) === Roles.guest;
    case 'members':
      return facts.isMember(audience.channel, userId, at);
    case 'metadata':
      return facts.mayKnow(audience.channel, userId, at);
    case 'subscriber-list':
      return facts.maySeeSubscribers(audience.channel, userId, at);
    case 'group':
      return facts.isInGroup(audience.group, userId, at);
    case 'all-public':
      return listener.allPublicStreams && hearsPublic(audience.channel, userId, at, facts);
    case 'any':
      return audience.of.some((part) => addresses(part, listener, at, facts));
    case 'but':
      return addresses(audience.these, listener, at, facts) && !addresses(audience.not, listener, at, facts);
  }
}

function hearsPublic(channel: ChannelId, user: UserId, at: Position, facts: AudienceFacts): boolean {
  const role = facts.roleOf(user, at);
  return role !== null && role !== Roles.guest && facts.isPublic(channel, at);
}

/** What has to be known before audiences can be evaluated. */
export interface AudienceNeeds {
  /** Channels whose subscribers are asked for. */
  readonly members: Set<ChannelId>;
  /** Channels whose settings decide. */
  readonly settings: Set<ChannelId>;
  readonly groups: Set<GroupId>;
}

/** Adds what this audience needs. */
export function collectNeeds(audience: Audience, needs: AudienceNeeds): void {
  switch (audience.kind) {
    case 'everyone':
    case 'users':
    case 'roles':
    case 'guests':
      return;
    case 'members':
      needs.members.add(audience.channel);
      return;
    case 'metadata':
    case 'subscriber-list':
      needs.members.add(audience.channel);
      needs.settings.add(audience.channel);
      return;
    case 'all-public':
      needs.settings.add(audience.channel);
      return;
    case 'group':
      needs.groups.add(audience.group);
      return;
    case 'any':
      for (const part of audience.of) collectNeeds(part, needs);
      return;
    case 'but':
      collectNeeds(audience.these, needs);
      collectNeeds(audience.not, needs);
      return;
  }
}
