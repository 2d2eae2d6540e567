import type { ChannelId, GroupId, Position, Role, UserId } from '@annals/kernel/domain';
import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { AudienceFacts, AudienceNeeds, Listener, Moment } from '../domain/audience';
import type { AudienceRules, LoadedRules, Person } from './audience-rules';
import { collectNeeds } from '../domain/audience';
import { grouped } from './grouped';

/** Holds at the positions from ≤ p < to; without an end it still holds. */
interface Span {
  readonly user_id: UserId;
  readonly from_position: Position;
  readonly to_position: Position | null;
}
interface AccountSpan extends Span {
  readonly role: Role;
  readonly is_active: boolean;
}
interface MemberSpan extends Span {
  readonly channel_id: ChannelId;
}

/**
 * Reads, in at most a handful of queries, everything needed to tell which of these listeners some events are for.
 *
 * @param events in order of position, at least one
 */
export async function loadAudienceFacts(
  reader: FeedReader,
  rules: AudienceRules,
  events: readonly PlacedClientEvent[],
  listeners: readonly Listener[],
): Promise<AudienceFacts> {
  const needs: AudienceNeeds = { members: new Set(), access: new Set(), privacy: new Set(), groups: new Set() };
  for (const { audience } of events) collectNeeds(audience, needs);
  // Hardly any queue listens to all public channels, and every message asks whether one does.
  if (!listeners.some(({ allPublicStreams }) => allPublicStreams)) needs.privacy.clear();
  const users = [...new Set(listeners.map(({ userId }) => userId))];
  const [from, to] = [events[0]?.position ?? (0 as Position), events.at(-1)?.position ?? (0 as Position)];
  const accounts = grouped(await accountSpans(reader, users, from, to), (span) => span.user_id);
  const members = grouped(await memberSpans(reader, [...needs.members], users, from, to), memberKey);
  return new SpanFacts(accounts, members, await rules.load(reader, { ...needs, users }));
}

class SpanFacts implements AudienceFacts {
  constructor(
    private readonly accounts: ReadonlyMap<UserId, readonly AccountSpan[]>,
    private readonly members: ReadonlyMap<string, readonly MemberSpan[]>,
    private readonly rules: LoadedRules,
  ) {}

  roleOf(user: UserId, { position }: Moment): Role | null {
    const span = spanAt(this.accounts.get(user), position);
    return span?.is_active ? span.role : null;
  }

  isMember(channel: ChannelId, user: UserId, { position }: Moment): boolean {
    return spanAt(this.members.get(memberKey({ channel_id: channel, user_id: user })), position) !== undefined;
  }

  mayKnow(channel: ChannelId, user: UserId, on: Moment): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.mayKnow(channel, person, this.isMember(channel, user, on), on);
  }

  maySeeSubscribers(channel: ChannelId, user: UserId, on: Moment): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.maySeeSubscribers(channel, person, this.isMember(channel, user, on), on);
  }

  isPublic(channel: ChannelId, on: Moment): boolean {
    return this.rules.isPublic(channel, on);
  }

  isInGroup(group: GroupId, user: UserId, on: Moment): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.isInGroup(group, person, on);
  }

  private personOf(userId: UserId, on: Moment): Person | null {
    const role = this.roleOf(userId, on);
    return role === null ? null : { userId, role };
  }
}

const memberKey = ({ channel_id, user_id }: Pick<MemberSpan, 'channel_id' | 'user_id'>): string =>
  `${channel_id} ${user_id}`;

const spanAt = <S extends Span>(spans: readonly S[] | undefined, at: Position): S | undefined =>
  spans?.find(({ from_position, to_position }) => from_position <= at && (to_position === null || at < to_position));

async function accountSpans(
  { client, realmId }: FeedReader,
  users: readonly UserId[],
  from: Position,
  to: Position,
): Promise<AccountSpan[]> {
  const { rows } = await client.query<AccountSpan>({
    name: 'feed-account-spans',
    text: `SELECT user_id, from_position, to_position, role, is_active FROM view.account_spans
      WHERE realm_id = $1 AND user_id = ANY($2::int8[])
        AND from_position <= $4 AND (to_position IS NULL OR to_position > $3)`,
    values: [realmId, users, from, to],
  });
  return rows;
}

async function memberSpans(
  { client, realmId }: FeedReader,
  channels: readonly ChannelId[],
  users: readonly UserId[],
  from: Position,
  to: Position,
): Promise<MemberSpan[]> {
  if (channels.length === 0) return [];
  const { rows } = await client.query<MemberSpan>({
    name: 'feed-member-spans',
    text: `SELECT channel_id, user_id, from_position, to_position FROM view.memberships
      WHERE realm_id = $1 AND channel_id = ANY($2::int8[]) AND user_id = ANY($3::int8[])
        AND from_position <= $5 AND (to_position IS NULL OR to_position > $4)`,
    values: [realmId, channels, users, from, to],
  });
  return rows;
}
