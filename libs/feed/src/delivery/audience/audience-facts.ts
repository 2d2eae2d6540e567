import type { ChannelId, GroupId, LogPoint, Position, Span, UserId } from '@annals/kernel/domain';
import { Role, contains, grouped } from '@annals/kernel/domain';
import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import { overlapsSql } from '@annals/kernel';
import type { AudienceFacts, AudienceNeeds, Listener } from '../../domain/audience';
import type { AudienceRules, LoadedRules, AudiencePerson } from './audience-rules';
import { collectNeeds } from '../../domain/audience';

/** A fact about a user, while it held. */
interface FactSpan extends Span {
  /** Null for a span of the account itself. */
  readonly channel_id: ChannelId | null;
  /** Null for a time in which guests of the organization could not see everybody. */
  readonly user_id: UserId | null;
  readonly role: Role | null;
  readonly is_active: boolean | null;
}

type Spans = ReadonlyMap<string, readonly FactSpan[]>;

/**
 * Reads all facts that decide for which of these listeners some events are, in a few queries.
 *
 * @param events in order of position, at least one
 */
export async function loadAudienceFacts(
  reader: FeedReader,
  rules: AudienceRules,
  events: readonly PositionedClientEvent[],
  listeners: readonly Listener[],
): Promise<AudienceFacts> {
  const needs: AudienceNeeds = {
    members: new Set(),
    since: null,
    access: new Set(),
    privacy: new Set(),
    groups: new Set(),
  };
  for (const { audience } of events) collectNeeds(audience, needs);
  // Hardly any queue receives all public channels, and the audience of every message depends on whether one does.
  if (!listeners.some(({ allPublicStreams }) => allPublicStreams)) needs.privacy.clear();
  const users = [...new Set(listeners.map(({ userId }) => userId))];
  const [from, to] = [events[0]?.position ?? (0 as Position), events.at(-1)?.position ?? (0 as Position)];
  const subscribed = { channels: [...needs.members], since: Math.min(needs.since ?? from, from) as Position };
  const found = await readSpans(reader, rules.restrictions, subscribed, users, from, to);
  const loaded = await rules.load(reader, { ...needs, users, first: from });
  return new SpanFacts(restrictedAmong(found), grouped(found, keyOf), loaded);
}

function restrictedAmong(spans: readonly FactSpan[]): readonly UserId[] {
  if (!spans.some(({ user_id }) => user_id === null)) return [];
  const guests = spans.flatMap(({ user_id, role }) => (user_id !== null && role === Role.guest ? [user_id] : []));
  return [...new Set(guests)];
}

class SpanFacts implements AudienceFacts {
  constructor(
    readonly guests: readonly UserId[],
    private readonly spans: Spans,
    private readonly rules: LoadedRules,
  ) {}

  roleOf(user: UserId, on: LogPoint): Role | null {
    const span = this.spanAt(null, user, on);
    return span?.is_active ? span.role : null;
  }

  isMember(channel: ChannelId, user: UserId, on: LogPoint): boolean {
    return this.spanAt(channel, user, on) !== undefined;
  }

  wasMember(channel: ChannelId, user: UserId, positions: readonly Position[]): boolean {
    const spans = this.spans.get(keyOf({ channel_id: channel, user_id: user })) ?? [];
    return spans.some((span) => {
      const first = firstFrom(positions, span.from);
      return first !== undefined && contains(span, first);
    });
  }

  mayKnow(channel: ChannelId, user: UserId, on: LogPoint): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.mayKnow(channel, person, this.isMember(channel, user, on), on);
  }

  mayRead(channel: ChannelId, user: UserId, on: LogPoint): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.mayRead(channel, person, this.isMember(channel, user, on), on);
  }

  maySeeSubscribers(channel: ChannelId, user: UserId, on: LogPoint): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.maySeeSubscribers(channel, person, this.isMember(channel, user, on), on);
  }

  isPublic(channel: ChannelId, on: LogPoint): boolean {
    return this.rules.isPublic(channel, on);
  }

  isInGroup(group: GroupId, user: UserId, on: LogPoint): boolean {
    const person = this.personOf(user, on);
    return person !== null && this.rules.isInGroup(group, person, on);
  }

  private personOf(userId: UserId, on: LogPoint): AudiencePerson | null {
    const role = this.roleOf(userId, on);
    return role === null ? null : { userId, role };
  }

  private spanAt(channel: ChannelId | null, user: UserId, { position }: LogPoint): FactSpan | undefined {
    return this.spans.get(keyOf({ channel_id: channel, user_id: user }))?.find((span) => contains(span, position));
  }
}

const keyOf = ({ channel_id, user_id }: Pick<FactSpan, 'channel_id' | 'user_id'>): string => `${channel_id} ${user_id}`;

/** The first of these ascending positions that is not before `from`. A topic may have tens of thousands of messages. */
function firstFrom(positions: readonly Position[], from: Position): Position | undefined {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as Position) < from) low = middle + 1;
    else high = middle;
  }
  return positions[low];
}

/**
 * Roles, memberships and restrictions of guests in one query, because clients wait for it. The current roles and
 * restrictions are also read: names are read as they are now, and a user who is a restricted guest now does not receive
 * all of them.
 */
async function readSpans(
  { client, realmId }: FeedReader,
  restrictions: string,
  { channels, since }: { readonly channels: readonly ChannelId[]; readonly since: Position },
  users: readonly UserId[],
  from: Position,
  to: Position,
): Promise<FactSpan[]> {
  const { rows } = await client.query<FactSpan>({
    name: 'feed-spans',
    text: `SELECT NULL::int8 AS channel_id, user_id, from_position AS from, to_position AS to, role, is_active
        FROM view.account_spans
        WHERE realm_id = $1 AND user_id = ANY($3::int8[])
          AND (from_position <= $5 OR to_position IS NULL) AND (to_position IS NULL OR to_position >= $4)
      UNION ALL
      SELECT NULL, NULL, x.from_position, x.to_position, NULL, NULL FROM (${restrictions}) AS x
        WHERE x.realm_id = $1 AND (x.from_position <= $5 OR x.to_position IS NULL)
          AND (x.to_position IS NULL OR x.to_position >= $4)
      UNION ALL
      SELECT channel_id, user_id, from_position, to_position, NULL, NULL FROM view.memberships AS m
        WHERE realm_id = $1 AND channel_id = ANY($2::int8[]) AND user_id = ANY($3::int8[])
          AND ${overlapsSql('m', '$6', '$5')}`,
    values: [realmId, channels, users, from, to, since],
  });
  return rows;
}
