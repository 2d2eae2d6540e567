import type { Audience, ChannelId, GroupId, LogPoint, Position, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles } from '@annals/kernel/domain';

/** Facts as they were right after an event. */
export interface AudienceFacts {
  /**
   * Listeners who may have been guests that could not see everybody (contract/permissions.md section 7), at or right
   * before one of the events.
   */
  readonly guests: readonly UserId[];
  /** Role of an active account. Null if there was none. */
  roleOf(user: UserId, on: LogPoint): Role | null;
  isMember(channel: ChannelId, user: UserId, on: LogPoint): boolean;
  /** @param positions ascending. Whether the user was subscribed at one of them */
  wasMember(channel: ChannelId, user: UserId, positions: readonly Position[]): boolean;
  /** Metadata access (contract/permissions.md section 6). */
  mayKnow(channel: ChannelId, user: UserId, on: LogPoint): boolean;
  /** Content access (contract/permissions.md section 6). */
  mayRead(channel: ChannelId, user: UserId, on: LogPoint): boolean;
  maySeeSubscribers(channel: ChannelId, user: UserId, on: LogPoint): boolean;
  isPublic(channel: ChannelId, on: LogPoint): boolean;
  isInGroup(group: GroupId, user: UserId, on: LogPoint): boolean;
}

/** The owner of a queue, and the one option of the queue that an audience may depend on. */
export interface Listener {
  readonly userId: UserId;
  readonly allPublicStreams: boolean;
}

/** Whether an event is for this queue. */
export function addresses(audience: Audience, listener: Listener, on: LogPoint, facts: AudienceFacts): boolean {
  const { userId } = listener;
  switch (audience.kind) {
    case 'everyone':
      return facts.roleOf(userId, on) !== null;
    case 'users':
      return setOf(audience.users).has(userId);
    case 'roles':
      return (facts.roleOf(userId, on) ?? Infinity) <= audience.atMost;
    case 'guests':
      return facts.roleOf(userId, on) === Roles.guest;
    case 'members':
      return facts.isMember(audience.channel, userId, on);
    case 'members-at':
      return facts.wasMember(audience.channel, userId, audience.positions);
    case 'metadata':
      return facts.mayKnow(audience.channel, userId, on);
    case 'content':
      return facts.mayRead(audience.channel, userId, on);
    case 'subscriber-list':
      return facts.maySeeSubscribers(audience.channel, userId, on);
    case 'group':
      return facts.isInGroup(audience.group, userId, on);
    case 'all-public':
      return listener.allPublicStreams && receivesPublic(audience.channel, userId, on, facts);
    case 'any':
      return audience.of.some((part) => addresses(part, listener, on, facts));
    case 'but':
      return addresses(audience.these, listener, on, facts) && !addresses(audience.not, listener, on, facts);
  }
}

/** Whether an event may be for a listener, as far as this is known without facts. */
export function mayAddress(audience: Audience, userId: UserId): boolean {
  switch (audience.kind) {
    case 'users':
      return setOf(audience.users).has(userId);
    case 'any':
      return audience.of.some((part) => mayAddress(part, userId));
    case 'but':
      return mayAddress(audience.these, userId);
    default:
      return true;
  }
}

/** One event may name twenty thousand users, and the question is asked for every waiting poll. */
const sets = new WeakMap<readonly UserId[], ReadonlySet<UserId>>();

function setOf(users: readonly UserId[]): ReadonlySet<UserId> {
  const known = sets.get(users) ?? new Set(users);
  sets.set(users, known);
  return known;
}

function receivesPublic(channel: ChannelId, user: UserId, on: LogPoint, facts: AudienceFacts): boolean {
  const role = facts.roleOf(user, on);
  return role !== null && role !== Roles.guest && facts.isPublic(channel, on);
}

/** The facts to load before audiences can be evaluated. */
export interface AudienceNeeds {
  /** Channels whose subscribers are needed. */
  readonly members: Set<ChannelId>;
  /** The first position at which subscribers are needed, if it is before the events. */
  since: Position | null;
  /** Channels whose privacy and groups decide who may know of them. */
  readonly access: Set<ChannelId>;
  /** Channels of which it only matters whether they are public. */
  readonly privacy: Set<ChannelId>;
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
    case 'members-at': {
      const [first] = audience.positions;
      needs.members.add(audience.channel);
      if (first !== undefined && first < (needs.since ?? Infinity)) needs.since = first;
      return;
    }
    case 'metadata':
    case 'content':
    case 'subscriber-list':
      needs.members.add(audience.channel);
      needs.access.add(audience.channel);
      return;
    case 'all-public':
      needs.privacy.add(audience.channel);
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
