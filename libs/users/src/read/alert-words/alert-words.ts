import type { FactCache, RegisterBlock } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { AlertWordIndex, OwnedWord } from '../../domain/alert-words/alert-word-index';
import { indexAlertWords } from '../../domain/alert-words/alert-word-index';

/**
 * Alert words in the order in which their owners added them.
 *
 * @param userIds null for all users
 */
async function readAlertWords(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[] | null,
): Promise<OwnedWord[]> {
  const { rows } = await client.query<OwnedWord>({
    name: userIds ? 'users-alert-words' : 'users-all-alert-words',
    text: `SELECT user_id AS "userId", word FROM view.alert_words
      WHERE realm_id = $1 AND word IS NOT NULL ${userIds ? 'AND user_id = ANY($2::int4[])' : ''} ORDER BY user_id, word_id`,
    values: [realmId, ...(userIds ? [userIds] : [])],
  });
  return rows;
}

/** The alert words of some users. */
export async function readAlertWordsOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<Map<UserId, string[]>> {
  return grouped(
    await readAlertWords(client, realmId, userIds),
    ({ userId }) => userId,
    ({ word }) => word,
  );
}

/** contract/boot.md section 4.1 */
export const alertWordsRegisterBlock: RegisterBlock = {
  keys: ['alert_words'],
  async read({ client, realmId }, { userId }) {
    return { alert_words: (await readAlertWordsOf(client, realmId, [userId])).get(userId) ?? [] };
  },
};

/** The alert words of the actor. */
export class ListAlertWords extends Query<readonly string[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListAlertWords)
export class ListAlertWordsHandler implements IQueryHandler<ListAlertWords> {
  constructor(private readonly kernel: Kernel) {}

  async execute({ by: { realmId, userId } }: ListAlertWords): Promise<readonly string[]> {
    return (await readAlertWordsOf(this.kernel.database.pool, realmId, [userId])).get(userId) ?? [];
  }
}

/** The only key: all words of an organization are searched together. */
const ALL = 'all';

const CHANGES: ReadonlySet<string> = new Set([
  'users.AlertWordsAdded',
  'users.AlertWordsRemoved',
  'users.ProfileDeleted',
]);

const NO_WORDS = indexAlertWords([]);

/** The alert words of an organization, cached in the process. Exact after the fence. */
@Injectable()
export class AlertWordFacts {
  private readonly index: FactCache<AlertWordIndex>;

  constructor(kernel: Kernel) {
    this.index = kernel.facts<AlertWordIndex>({
      touched: ({ type }) => (CHANGES.has(type) ? [ALL] : []),
      load: async (realmId) =>
        new Map([[ALL, indexAlertWords(await readAlertWords(kernel.database.pool, realmId, null))]]),
    });
  }

  async of(realmId: RealmId): Promise<AlertWordIndex> {
    return (await this.index.get(realmId, ALL)) ?? NO_WORDS;
  }
}
