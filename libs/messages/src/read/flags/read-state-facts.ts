import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor, MessageId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { decodeIds } from '../../domain/flags/encoded-ids';
import type { AllMarkedRead, FlagsChanged } from '../../domain/flags/flag-events';
import { READ_STATE_BLOCK } from './read-state.view';
import type { PersonalFlags, ReadState } from './read-states';
import { readStateOf } from './read-states';

/** Marks of one user on the messages of one block. */
interface BlockMarks {
  /** One bit for each message of the block, the highest bit of a byte first; null where none is marked as read. */
  readonly bits: Uint8Array | null;
  readonly flags: ReadonlyMap<MessageId, PersonalFlags>;
  /** Position up to which the user had read everything when the block was read. */
  readonly watermark: number;
}

/**
 * Marks of users on messages, by user and block, cached in the process. They are exact for readers that have passed the fence.
 *
 * `AllMarkedRead` drops no block: bits that it deletes are of messages up to the new watermark, and so is what it makes of marks as
 * unread. A block holds the watermark of its time, because bits that are gone count as read only together with it.
 */
@Injectable()
export class ReadStateFacts {
  private readonly blocks: FactCache<BlockMarks>;
  private readonly watermarks: FactCache<number>;

  constructor(private readonly kernel: Kernel) {
    this.blocks = kernel.facts<BlockMarks>({
      touched: touchedBlocks,
      load: (realmId, keys) => this.loadBlocks(realmId, keys),
    });
    this.watermarks = kernel.facts<number>({
      touched: (event) =>
        event.type === 'messages.AllMarkedRead' ? [(event as Recorded<AllMarkedRead>).data.userId] : [],
      load: (realmId, users) => this.loadWatermarks(realmId, users),
    });
  }

  /** The marks of a user on messages. */
  async of({ realmId, userId }: Pick<Actor, 'realmId' | 'userId'>, ids: readonly MessageId[]): Promise<ReadState> {
    const numbers = [...new Set(ids.map(blockOf))];
    const keys = numbers.map((block) => keyOf(userId, block));
    const [found, last] = await Promise.all([this.blocks.getMany(realmId, keys), this.watermarks.get(realmId, userId)]);
    const blocks = new Map(numbers.map((block) => [block, found.get(keyOf(userId, block))]));
    return readStateOf({
      watermark: Math.max(last ?? 0, ...[...found.values()].map(({ watermark }) => watermark)),
      hasBit: (message) => isSet(blocks.get(blockOf(message))?.bits, message % READ_STATE_BLOCK),
      flags: (message) => blocks.get(blockOf(message))?.flags.get(message),
    });
  }

  private async loadBlocks(realmId: RealmId, keys: readonly string[]): Promise<Map<string, BlockMarks>> {
    const pairs = keys.map((key) => key.split(':').map(Number) as [UserId, number]);
    const { rows } = await this.kernel.database.pool.query<StoredBlock>({
      name: 'messages-marks-of-blocks',
      text: `SELECT a.user_id AS "userId", a.block,
          (SELECT bit_send(k.bits) FROM view.read_blocks AS k
            WHERE k.realm_id = $1 AND k.user_id = a.user_id AND k.block = a.block) AS bits,
          (SELECT json_agg(json_build_array(f.message_id, f.starred, f.collapsed, f.unread_since, f.since))::text
            FROM view.personal_flags AS f WHERE f.realm_id = $1 AND f.user_id = a.user_id
              AND f.message_id >= a.block * ${READ_STATE_BLOCK} AND f.message_id < (a.block + 1) * ${READ_STATE_BLOCK}) AS flags,
          coalesce((SELECT w.position FROM view.read_watermarks AS w
            WHERE w.realm_id = $1 AND w.user_id = a.user_id), 0) AS watermark
        FROM unnest($2::int4[], $3::int8[]) AS a(user_id, block)`,
      values: [realmId, pairs.map(([user]) => user), pairs.map(([, block]) => block)],
    });
    return new Map(rows.map((row) => [keyOf(row.userId, row.block), blockMarks(row)]));
  }

  private async loadWatermarks(realmId: RealmId, users: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.kernel.database.pool.query<{ userId: UserId; position: number }>({
      name: 'messages-watermarks-of-users',
      text: `SELECT user_id AS "userId", position FROM view.read_watermarks
        WHERE realm_id = $1 AND user_id = ANY($2::int4[])`,
      values: [realmId, users],
    });
    return new Map(rows.map(({ userId, position }) => [String(userId), position]));
  }
}

interface StoredBlock {
  readonly userId: UserId;
  readonly block: number;
  /** The number of bits in four bytes, and the bits. */
  readonly bits: Buffer | null;
  /** JSON of `PersonalFlags`. */
  readonly flags: string | null;
  readonly watermark: number;
}

const blockOf = (message: MessageId): number => Math.floor(message / READ_STATE_BLOCK);
const keyOf = (user: UserId, block: number): string => `${user}:${block}`;

function touchedBlocks(event: Recorded): readonly string[] {
  if (event.type !== 'messages.FlagsChanged') return [];
  const { userId, ids } = (event as Recorded<FlagsChanged>).data;
  return [...new Set(decodeIds(ids).map(blockOf))].map((block) => keyOf(userId, block));
}

const NO_FLAGS: ReadonlyMap<MessageId, PersonalFlags> = new Map();

function blockMarks({ bits, flags, watermark }: StoredBlock): BlockMarks {
  const all = flags === null ? [] : (JSON.parse(flags) as PersonalFlags[]);
  return {
    bits: bits === null ? null : Uint8Array.from(bits.subarray(4)),
    flags: all.length === 0 ? NO_FLAGS : new Map(all.map((one) => [one[0], one])),
    watermark,
  };
}

const isSet = (bits: Uint8Array | null | undefined, n: number): boolean =>
  bits !== null && bits !== undefined && ((bits[n >> 3] ?? 0) & (0x80 >> (n & 7))) !== 0;
