import type { RowChanges } from '@annals/kernel';
import { clearBits, defineProjection, on, setBits } from '@annals/kernel';
import type { MessageId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { decodeIds } from '../../domain/flags/encoded-ids';
import { AllMarkedRead, FlagsChanged } from '../../domain/flags/flag-events';

/** Positions in one bitmap. A row with so many bits fits into its page, so that a change of it is small. */
export const READ_STATE_BLOCK = 4096;

/**
 * Marks that users set themselves on messages. Sending or moving a message, and leaving a channel, changes no row here. Rows
 * and bits of deleted messages remain: late readers need them, and a position is never used again.
 */
export const readStateView = defineProjection({
  name: 'read_state',
  version: 1,
  lifecycle: 'inline',
  tables: {
    /** Which messages users marked as read, after their watermark. */
    read_blocks: {
      columns: {
        user_id: 'int4',
        /** The id of a message divided by BLOCK. The remainder is the number of its bit. */
        block: 'int8',
        bits: `bit(${READ_STATE_BLOCK})`,
      },
      key: ['user_id', 'block'],
      changesOften: true,
    },
    /** Position up to which users have read everything. */
    read_watermarks: {
      columns: { user_id: 'int4', position: 'int8' },
      key: ['user_id'],
      changesOften: true,
    },
    /** Messages that users starred, collapsed or marked as unread, now or earlier: each such user has a copy. */
    personal_flags: {
      columns: {
        user_id: 'int4',
        message_id: 'int8',
        starred: 'bool',
        collapsed: 'bool',
        /** Position at which the user last marked the message as unread. Null if this never happened. */
        unread_since: 'int8',
        /** Position of the first of these acts. */
        since: 'int8',
      },
      key: ['user_id', 'message_id'],
      indexes: [
        { on: ['message_id'] },
        { on: ['user_id', 'message_id'], where: 'starred' },
        { on: ['user_id', 'message_id'], where: 'unread_since IS NOT NULL' },
      ],
    },
  },
  handlers: [
    on(FlagsChanged, ({ data: { userId, flag, op, ids }, position }, rows) => {
      const messages = decodeIds(ids);
      const isAdded = op === 'add';
      if (flag === 'read') markBlocks(rows, userId, messages, isAdded);
      if (flag === 'read' && isAdded) return;
      const set = flag === 'read' ? { unread_since: position } : { [flag]: isAdded };
      for (const message_id of messages) {
        const own = { user_id: userId, message_id };
        const first = { starred: false, collapsed: false, unread_since: null, since: position };
        if (isAdded || flag === 'read') rows.insert('personal_flags', { ...own, ...first });
        rows.update('personal_flags', own, set);
      }
    }),
    on(AllMarkedRead, ({ data: { userId: user_id }, position }, rows) => {
      rows.upsert('read_watermarks', { user_id, position });
      rows.delete('read_blocks', { user_id });
    }),
  ],
});

/** Sets or clears the bits of messages. */
function markBlocks(rows: RowChanges, user_id: UserId, ids: readonly MessageId[], isRead: boolean): void {
  const blocks = grouped(
    ids,
    (id) => Math.floor(id / READ_STATE_BLOCK),
    (id) => id % READ_STATE_BLOCK,
  );
  for (const [block, offsets] of blocks) {
    const row = { user_id, block };
    if (isRead) rows.insert('read_blocks', { ...row, bits: null });
    rows.update('read_blocks', row, {
      bits: isRead ? setBits(READ_STATE_BLOCK, offsets) : clearBits(READ_STATE_BLOCK, offsets),
    });
  }
}
