import type { Kernel, Work } from '@annals/kernel';
import { Conflict } from '@annals/kernel';
import type { Actor, MessageId, TopicId } from '@annals/kernel/domain';
import type { MoveContext } from './move-context';
import { MoveContextLoader } from './move-context';

const actor = { realmId: 1, userId: 2, groups: new Set() } as unknown as Actor;

/** The part of a topic that moves, when so many messages were counted and these remain. */
function taking(counted: { total: number; going: number }, left: readonly number[]) {
  const pool = { query: () => Promise.resolve({ rows: left.map((id) => ({ id })) }) };
  const contexts = new MoveContextLoader(
    { database: { pool } } as unknown as Kernel,
    ...([undefined, undefined, undefined, undefined] as unknown as [never, never, never, never]),
  );
  const part = { first: 5, last: 9, only: null, without: [] };
  const reach = { topicIds: [7 as TopicId], ...part, messageId: 5 as MessageId, allVisible: true };
  const found = [{ topicId: 7, name: 'lunch', ...counted }];
  return contexts.portions({ actor } as Work, { found, reach } as unknown as MoveContext);
}

describe('the part of a topic that moves', () => {
  it('is counted again when its messages are deleted meanwhile', async () => {
    await expect(taking({ total: 9, going: 8 }, [])).rejects.toThrow(Conflict);
    await expect(taking({ total: 9, going: 2 }, [5])).rejects.toThrow(Conflict);
  });

  it('may include messages that were sent meanwhile', async () => {
    expect(await taking({ total: 9, going: 2 }, [5, 6, 7])).toMatchObject([{ listed: [5, 6, 7] }]);
    expect(await taking({ total: 9, going: 9 }, [])).toMatchObject([{ listed: [] }]);
  });
});
