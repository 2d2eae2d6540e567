import type { Reader } from '@annals/channels';
import { historyScope, readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { Change } from './changes';
import type { Journey, Stay } from './journeys';
import { extentOf, readJourneys } from './journeys';
import type { LoadedMessages } from './message-row';
import { readConcerned } from './reached';
import type { Span } from './visibility';
import { covers } from './visibility';

/** What somebody may be told of the past of messages that they can see now. */
export interface Past {
  /** From when on they could read the message. */
  since(message: MessageId): Position;
  /** Whether they could read it right before a change and right after it. */
  tells(message: MessageId, change: Pick<Change, 'position'>): boolean;
}

/** Somebody could read a message while it was in a channel, or not; the channel where it is now they read. */
interface Visit {
  readonly since: Position;
  readonly isOpen: boolean;
}

/**
 * Reads where somebody could read messages that have been in several channels. What was said of a message where they
 * could not, its texts and names of topics and channels, stays unknown to them wherever it goes later.
 *
 * @param ids that the reader can see now
 */
export async function readPast(feed: FeedReader, by: Reader, ids: readonly MessageId[]): Promise<Past> {
  const all = await readJourneys(feed.client, feed.realmId, ids);
  const journeys = new Map([...all].filter(([, { later }]) => later.length > 0));
  const wasOpen = await readOpenness(feed, by, journeys);
  const visits = new Map(
    [...journeys].map(([id, journey]) => {
      const stays = staysOf(id, journey);
      return [id, stays.map((stay, n): Visit => ({ since: stay.since, isOpen: wasOpen(id, stay, stays[n + 1]) }))];
    }),
  );
  const isOpen = (id: MessageId, position: number) =>
    visits.get(id)?.findLast(({ since }) => since <= position)?.isOpen ?? true;
  return {
    since: (id) => visits.get(id)?.find((visit) => visit.isOpen)?.since ?? (id as number as Position),
    tells: (id, { position }) => isOpen(id, position - 1) && isOpen(id, position),
  };
}

const staysOf = (id: MessageId, { sentTo, later }: Journey): readonly Stay[] => [
  { since: id as number as Position, channelId: sentTo },
  ...later,
];

/** Whether somebody could read a message during a stay, by what the channel was like right before it ended. */
async function readOpenness(feed: FeedReader, by: Reader, journeys: ReadonlyMap<MessageId, Journey>) {
  const { sentTo, broughtTo, first } = extentOf(journeys);
  const channels = [...new Set([...sentTo, ...broughtTo])];
  const { at } = await readChannelsAt(feed, channels, first as Position);
  const spansIn = await readSpans(feed, by, channels);
  const concerned = await readConcerned(feed, [...journeys.keys()]);
  // Messages that went together share the stays that followed: what a channel was like is worked out once for all of them.
  const privacies = new Map<Stay, ReturnType<typeof at>>();
  const privacyUntil = (channel: ChannelId, next: Stay) => {
    if (!privacies.has(next)) privacies.set(next, at(channel, (next.since - 1) as Position));
    return privacies.get(next);
  };
  return (id: MessageId, { channelId, since }: Stay, next: Stay | undefined): boolean => {
    if (!next) return true;
    const [channel, spans] = [privacyUntil(channelId, next), spansIn(channelId)];
    if (!channel) return false;
    const isConcerned = since === (id as number) && (concerned.get(id)?.has(by.userId) ?? false);
    const wasThere = spans.some(({ from, to }) => from < next.since && (to === null || since < to));
    const scope = historyScope(channel, by, wasThere);
    return scope === 'all' || (scope === 'received' && (isConcerned || covers(spans, since)));
  };
}

async function readSpans({ client, realmId }: FeedReader, { userId }: Reader, channels: readonly ChannelId[]) {
  const { rows } = await client.query<Span & { channel: ChannelId }>({
    name: 'messages-spans-of-past',
    text: `SELECT channel_id AS channel, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND user_id = $2 AND channel_id = ANY($3::int8[])`,
    values: [realmId, userId, channels],
  });
  const spans = grouped(rows, ({ channel }) => channel);
  return (channel: ChannelId): readonly Span[] => spans.get(channel) ?? [];
}

/** The messages as somebody is shown them who could not always read them. */
export function withoutUnseenPast(loaded: LoadedMessages, past: Past): LoadedMessages {
  const changes = new Map<MessageId, readonly Change[]>();
  for (const [id, all] of loaded.changes) {
    const told = all.filter((change) => past.tells(id, change));
    if (told.length > 0) changes.set(id, told);
  }
  return { ...loaded, changes };
}
