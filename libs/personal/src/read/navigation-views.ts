import { Kernel } from '@annals/kernel';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { NavigationView } from '../domain/navigation';

type ViewRow = Omit<NavigationView, 'id'>;

/** The views of one account, the oldest first. */
async function readViews(client: Pool | ClientBase, realmId: RealmId, userId: UserId): Promise<ViewRow[]> {
  const { rows } = await client.query<ViewRow>({
    name: 'personal-navigation-views',
    text: `SELECT fragment, name, is_pinned AS "isPinned" FROM view.navigation_views
      WHERE realm_id = $1 AND user_id = $2 AND fragment IS NOT NULL ORDER BY view_id`,
    values: [realmId, userId],
  });
  return rows;
}

/** contract/navigation-snippets-domains.md section 1 */
export const presentView = ({ fragment, name, isPinned }: ViewRow) => ({ fragment, is_pinned: isPinned, name });

/** contract/boot.md section 4.1 */
export const navigationRegisterBlock: RegisterBlock = {
  keys: ['navigation_views'],
  read: async ({ client, realmId }, { userId }) => ({
    navigation_views: (await readViews(client, realmId, userId)).map(presentView),
  }),
};

/** The actor's own views (contract/navigation-snippets-domains.md section 1). */
export class ListNavigationViews extends Query<readonly ViewRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListNavigationViews)
export class ListNavigationViewsHandler implements IQueryHandler<ListNavigationViews> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by: { realmId, userId } }: ListNavigationViews): Promise<readonly ViewRow[]> {
    return readViews(this.kernel.database.pool, realmId, userId);
  }
}
