import { Kernel } from '@annals/kernel';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { SnippetText } from '../domain/snippet';

/** A snippet as its owner sees it. */
interface SnippetRow extends SnippetText {
  readonly id: number;
  readonly savedAt: Instant;
}

/** The snippets of one account in the order of their ids. */
async function readSnippets(client: Pool | ClientBase, realmId: RealmId, userId: UserId): Promise<SnippetRow[]> {
  const { rows } = await client.query<SnippetRow>({
    name: 'personal-saved-snippets',
    text: `SELECT snippet_id AS id, title, content, saved_at AS "savedAt" FROM view.saved_snippets
      WHERE realm_id = $1 AND user_id = $2 AND title IS NOT NULL ORDER BY snippet_id`,
    values: [realmId, userId],
  });
  return rows;
}

/** Number of snippets of an account. */
export async function countSnippets(client: Pool, realmId: RealmId, userId: UserId): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'personal-count-snippets',
    text: 'SELECT count(*)::int4 AS count FROM view.saved_snippets WHERE realm_id = $1 AND user_id = $2',
    values: [realmId, userId],
  });
  return rows[0]?.count ?? 0;
}

/** contract/navigation-snippets-domains.md section 2 */
export const presentSnippet = ({ id, title, content, savedAt }: SnippetRow) => ({
  id,
  title,
  content,
  date_created: unixSeconds(savedAt),
});

/** contract/boot.md section 4.1 */
export const snippetsRegisterBlock: RegisterBlock = {
  keys: ['saved_snippets'],
  read: async ({ client, realmId }, { userId }) => ({
    saved_snippets: (await readSnippets(client, realmId, userId)).map(presentSnippet),
  }),
};

/** The actor's own snippets (contract/navigation-snippets-domains.md section 2). */
export class ListSnippets extends Query<readonly SnippetRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListSnippets)
export class ListSnippetsHandler implements IQueryHandler<ListSnippets> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by: { realmId, userId } }: ListSnippets): Promise<readonly SnippetRow[]> {
    return readSnippets(this.kernel.database.pool, realmId, userId);
  }
}
