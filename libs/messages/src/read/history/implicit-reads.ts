import type { ChannelId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Journey, Stay } from './channel-timelines';
import { extentOf, readJourneys } from './channel-timelines';
import type { Span } from '../visibility/visibility';

/**
 * When somebody and a message first parted: they left the channel where it was, or it was brought to a channel that they
 * were not in. To them it has been read since. Whoever was not subscribed when it was sent never had it unread, which is
 * asked apart from this (WAS_THERE_SQL, `readOutsiders`).
 */
export type Partings = (message: MessageId, user: UserId) => Position | undefined;

/** A stay of somebody's in a channel; where their account ended and came back nothing was left, and the next one follows. */
export interface Held extends Span {
  readonly heldUntil: Position | null;
}

/** Reads when some of these people and these messages parted; direct messages nobody parts from. */
export async function readPartings(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Partings> {
  if (ids.length === 0 || users.length === 0) return () => undefined;
  const journeys = await readJourneys(client, realmId, ids);
  const spansOf = await readSpans(client, realmId, journeys, users);
  return (message, user) => {
    const journey = journeys.get(message);
    return journey && firstParting(message, journey, (channel) => spansOf(channel, user));
  };
}

function firstParting(
  id: MessageId,
  { sentTo, later }: Journey,
  spansIn: (channel: ChannelId) => readonly Held[],
): Position | undefined {
  const stays = [{ since: id as number as Position, channelId: sentTo }, ...later];
  for (const [n, stay] of stays.entries()) {
    const spans = spansIn(stay.channelId);
    const parted = (n > 0 ? missed(stay, spans) : undefined) ?? leaves(stay, stays[n + 1]?.since ?? Infinity, spans)[0];
    if (parted !== undefined) return parted;
  }
  return undefined;
}

/** When something was brought to somebody who was not there. */
export function missed({ since }: Stay, spans: readonly Held[]): Position | undefined {
  const isThere = ({ from, heldUntil }: Held) => from <= since && (heldUntil === null || since < heldUntil);
  return spans.some(isThere) ? undefined : since;
}

/** When somebody left where something was, ascending; where their account ended and came back nothing was left. */
export const leaves = ({ since }: Stay, until: number, spans: readonly Held[]): readonly Position[] =>
  spans
    .flatMap(({ to, heldUntil }) => (to !== null && to === heldUntil && to > since && to < until ? [to] : []))
    .sort((one, other) => one - other);

/** Spans of people in the channels of messages; of those that nothing was brought to, only what has ended since. */
async function readSpans(
  client: Pool | ClientBase,
  realmId: RealmId,
  journeys: ReadonlyMap<MessageId, Journey>,
  users: readonly UserId[],
) {
  const { sentTo, broughtTo, first } = extentOf(journeys);
  const { rows } = await client.query<Held & { channel: ChannelId; user: UserId }>({
    name: 'messages-spans-of-partings',
    text: `SELECT channel_id AS channel, user_id AS user, from_position AS from, to_position AS to,
        held_until AS "heldUntil" FROM view.memberships
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND (channel_id = ANY($3::int8[]) AND to_position > $5::int8
        OR channel_id = ANY($4::int8[]) AND (held_until IS NULL OR held_until > $5::int8))`,
    values: [realmId, users, sentTo, broughtTo, first],
  });
  const spans = grouped(rows, ({ channel, user }) => `${channel} ${user}`);
  return (channel: ChannelId, user: UserId): readonly Held[] => spans.get(`${channel} ${user}`) ?? NEVER;
}

const NEVER: readonly Held[] = [];
