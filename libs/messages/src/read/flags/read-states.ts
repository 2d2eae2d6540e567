import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { READ_STATE_BLOCK } from './read-state.view';

/** The marks of a user on some messages, as they are now. */
export interface ReadState {
  /** Whether the user marked the message as read: by itself, or with all others up to the watermark. */
  isMarkedRead(message: MessageId): boolean;
  /** Position at which the user last marked the message as unread, unless all were marked as read after that. */
  markedUnreadAt(message: MessageId): Position | undefined;
  isStarred(message: MessageId): boolean;
  isCollapsed(message: MessageId): boolean;
  /** Position of the first flag, which gave the user a copy of the message. */
  since(message: MessageId): Position | undefined;
}

/** By user. Users who did nothing share NO_MARKS. */
export type ReadStates = (user: UserId) => ReadState;

/** A row of `view.personal_flags` without the user. */
export type PersonalFlags = readonly [
  message: MessageId,
  starred: boolean,
  collapsed: boolean,
  unreadSince: Position | null,
  since: Position,
];

/** Where the marks of one user are. */
export interface Marks {
  /** Up to here everything is read, unless it was marked as unread later. */
  readonly watermark: number;
  /** Whether the bit of the message is set. */
  hasBit(message: MessageId): boolean;
  flags(message: MessageId): PersonalFlags | undefined;
}

/** The state that follows from the marks of one user (decision 41). */
export function readStateOf(marks: Marks): ReadState {
  const markedUnreadAt = (message: MessageId): Position | undefined => {
    const since = marks.flags(message)?.[3] ?? 0;
    return since > marks.watermark ? (since as Position) : undefined;
  };
  return {
    markedUnreadAt,
    isMarkedRead: (message) =>
      marks.hasBit(message) || (message <= marks.watermark && markedUnreadAt(message) === undefined),
    isStarred: (message) => marks.flags(message)?.[1] ?? false,
    isCollapsed: (message) => marks.flags(message)?.[2] ?? false,
    since: (message) => marks.flags(message)?.[4],
  };
}

/** The state of users who did nothing. */
export const NO_MARKS: ReadState = readStateOf({ watermark: 0, hasBit: () => false, flags: () => undefined });

/** Reads what some users did to some messages. */
export async function readReadStates(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<ReadStates> {
  if (ids.length === 0 || users.length === 0) return () => NO_MARKS;
  const parts = blockParts(ids);
  const { rows } = await client.query<Stored>({
    name: 'messages-read-states',
    // Few large values: so many rows would take longer to read.
    text: `SELECT (SELECT json_agg(json_build_array(k.user_id, k.block, k.low, k.bits::text)) FROM (
          SELECT b.user_id, b.block, a.low, substring(b.bits FROM a.low + 1 FOR a.size) AS bits
          FROM unnest($4::int8[], $5::int4[], $6::int4[]) AS a(block, low, size) CROSS JOIN unnest($2::int4[]) AS u(user_id)
          JOIN view.read_blocks AS b ON b.realm_id = $1 AND b.user_id = u.user_id AND b.block = a.block) AS k
        WHERE position(B'1' IN k.bits) > 0)::text AS marked,
      (SELECT json_agg(json_build_array(user_id, position)) FROM view.read_watermarks
        WHERE realm_id = $1 AND user_id = ANY($2::int4[]))::text AS watermarks,
      (SELECT json_agg(json_build_array(user_id, message_id, starred, collapsed, unread_since, since))
        FROM view.personal_flags WHERE realm_id = $1 AND user_id = ANY($2::int4[])
          AND message_id = ANY($3::int8[]))::text AS flagged`,
    values: [
      realmId,
      users,
      ids,
      parts.map(({ block }) => block),
      parts.map(({ low }) => low),
      parts.map(({ high, low }) => high - low + 1),
    ],
  });
  return statesFrom(rows[0]);
}

/** The part of a block in which some messages are. */
interface BlockPart {
  readonly block: number;
  readonly low: number;
  readonly high: number;
}

/** Only the bits between the first and the last message of each block are read: mostly it is one message. */
function blockParts(ids: readonly MessageId[]): BlockPart[] {
  const parts = new Map<number, BlockPart>();
  for (const id of ids) {
    const block = Math.floor(id / READ_STATE_BLOCK);
    const offset = id % READ_STATE_BLOCK;
    const { low, high } = parts.get(block) ?? { low: offset, high: offset };
    parts.set(block, { block, low: Math.min(low, offset), high: Math.max(high, offset) });
  }
  return [...parts.values()];
}

/** JSON, or null where nothing was found. */
type Stored = Partial<Record<'marked' | 'watermarks' | 'flagged', string | null>>;
type StoredBlock = [user: UserId, block: number, low: number, bits: string];
type StoredFlags = [user: UserId, ...flags: PersonalFlags];

function statesFrom(stored: Stored = {}): ReadStates {
  const marks = new Map<UserId, ReadMarks>();
  const of = (user: UserId) => {
    const known = marks.get(user) ?? new ReadMarks();
    marks.set(user, known);
    return known;
  };
  for (const [user, block, low, bits] of JSON.parse(stored.marked ?? '[]') as StoredBlock[])
    of(user).blocks.set(block, { low, bits });
  for (const [user, position] of JSON.parse(stored.watermarks ?? '[]') as [UserId, Position][])
    of(user).watermark = position;
  for (const [user, ...flags] of JSON.parse(stored.flagged ?? '[]') as StoredFlags[])
    of(user).flagged.set(flags[0], flags);
  const states = new Map([...marks].map(([user, own]) => [user, readStateOf(own)]));
  return (user) => states.get(user) ?? NO_MARKS;
}

class ReadMarks implements Marks {
  watermark = 0;
  readonly blocks = new Map<number, { readonly low: number; readonly bits: string }>();
  readonly flagged = new Map<MessageId, PersonalFlags>();

  hasBit(message: MessageId): boolean {
    const block = this.blocks.get(Math.floor(message / READ_STATE_BLOCK));
    return block?.bits[(message % READ_STATE_BLOCK) - block.low] === '1';
  }

  flags(message: MessageId): PersonalFlags | undefined {
    return this.flagged.get(message);
  }
}
