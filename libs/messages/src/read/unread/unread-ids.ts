import { readerValues } from '@annals/channels';
import { inTurns } from '@annals/kernel';
import type { Actor, ConversationId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { stillUnread } from './still-unread';
import { MARKED_AS_UNREAD, UNREAD_BOUNDS, UNREAD_WITHIN } from './unread-ids-sql';

/** Unread messages of one topic or of one conversation. */
export interface UnreadPlace {
  /** Null for direct messages. */
  readonly topicId: TopicId | null;
  /** Null for messages of a topic. */
  readonly conversationId: ConversationId | null;
  /** Ascending, at least one. */
  readonly ids: readonly MessageId[];
}

export interface UnreadIds {
  readonly places: readonly UnreadPlace[];
  /** Whether there are more, which are older. */
  readonly hasMore: boolean;
}

/** Maximum of unread messages that are read (contract/boot.md section 8). */
const MAX_UNREAD = 50_000;
/** Positions that are searched first. */
const FIRST_STRETCH = 65_536;
/** Maximum of positions that are searched at once, so that no answer of PostgreSQL is large. */
const MAX_STRETCH = 262_144;
/** A further stretch is longer than what was found so far suggests. */
const MARGIN = 1.2;
/** Places that are read in one turn of the event loop. */
const AT_ONCE = 500;

type Reader = Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>;

/** A place as PostgreSQL writes it: whether its messages may have become read on the way to their channel, and their ids. */
type StoredPlace = [topic: TopicId | null, conversation: ConversationId | null, changedChannel: boolean, MessageId[]];

/** Reads the newest unread messages of an account by place: the rule of decision 41. @param head of the snapshot of `client` */
export async function readUnreadIds(client: ClientBase, by: Reader, head: Position): Promise<UnreadIds> {
  const { oldest, hasMarks } = await readBounds(client, by);
  const found = new FoundUnread(client, by);
  if (hasMarks) await found.add(await placesOf(client, 'messages-marked-unread', MARKED_AS_UNREAD, readerValues(by)));
  let before = head + 1;
  for (let stretch = FIRST_STRETCH; found.count <= MAX_UNREAD && before > oldest;) {
    const after = Math.max(oldest - 1, before - stretch - 1);
    const count = found.count;
    await found.add(
      await placesOf(client, 'messages-unread-within', UNREAD_WITHIN, [...readerValues(by), after, before]),
    );
    const density = (found.count - count) / (before - after);
    stretch = Math.min(MAX_STRETCH, Math.ceil((MARGIN * (MAX_UNREAD + 1 - found.count)) / density));
    before = after + 1;
  }
  return newest(found.places());
}

interface Bounds {
  /** No message before this position is unread unless the account marked it as unread. */
  readonly oldest: number;
  /** Whether the account ever marked a message as unread. */
  readonly hasMarks: boolean;
}

async function readBounds(client: ClientBase, { realmId, userId }: Reader): Promise<Bounds> {
  const { rows } = await client.query<{ watermark: number; since: Position | null; hasMarks: boolean }>({
    name: 'messages-unread-bounds',
    text: UNREAD_BOUNDS,
    values: [realmId, userId],
  });
  const { watermark = 0, since = null, hasMarks = false } = rows[0] ?? {};
  return { oldest: since === null ? Infinity : Math.max(watermark + 1, since), hasMarks };
}

async function placesOf(client: ClientBase, name: string, text: string, values: unknown[]): Promise<StoredPlace[]> {
  const { rows } = await client.query<{ places: string | null }>({ name, text, values });
  return JSON.parse(rows[0]?.places ?? '[]') as StoredPlace[];
}

/** The ids found so far by conversation, newer messages first. */
class FoundUnread {
  private readonly found = new Map<string, { readonly place: StoredPlace; readonly parts: (readonly MessageId[])[] }>();
  count = 0;

  constructor(
    private readonly client: ClientBase,
    private readonly by: Reader,
  ) {}

  async add(stored: readonly StoredPlace[]): Promise<void> {
    const doubtful = stored.flatMap(([, , changedChannel, ids]) => (changedChannel ? ids : []));
    const unread = new Set(await stillUnread(this.client, this.by, doubtful));
    for await (const some of inTurns(stored, AT_ONCE)) {
      for (const place of some) {
        const [topic, conversation, changedChannel, ids] = place;
        const kept = changedChannel ? ids.filter((id) => unread.has(id)) : ids;
        if (kept.length === 0) continue;
        const key = `${String(topic)} ${String(conversation)}`;
        const known = this.found.get(key) ?? { place, parts: [] };
        known.parts.push(kept);
        this.found.set(key, known);
        this.count += kept.length;
      }
    }
  }

  /** A message that is marked as unread may have been found twice. */
  places(): UnreadPlace[] {
    return [...this.found.values()].map(({ place: [topicId, conversationId], parts }) => ({
      topicId,
      conversationId,
      ids: parts.length === 1 && parts[0] ? parts[0] : ascending(new Set(parts.flat())),
    }));
  }
}

/** The newest ones, up to the maximum. */
function newest(places: readonly UnreadPlace[]): UnreadIds {
  const count = places.reduce((sum, { ids }) => sum + ids.length, 0);
  if (count <= MAX_UNREAD) return { places, hasMore: false };
  const oldest = Float64Array.from(places.flatMap(({ ids }) => ids)).sort()[count - MAX_UNREAD] ?? 0;
  const kept = places.map((place) => ({ ...place, ids: place.ids.filter((id) => id >= oldest) }));
  return { places: kept.filter(({ ids }) => ids.length > 0), hasMore: true };
}
