import { Kernel } from '@annals/kernel';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { grouped, unixSeconds } from '@annals/kernel/domain';
import { OwnSettingsFacts } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { DraftText } from '../domain/draft';
import type { DraftDestination } from '../domain/events';
import { reject } from '../domain/rejections';

/** A draft as its owner sees it. */
export interface DraftRow extends DraftText {
  readonly id: number;
  readonly target: DraftDestination;
  readonly editedAt: Instant;
}

/** The drafts of one account, the last edited first. */
async function readDrafts(client: Pool | ClientBase, realmId: RealmId, userId: UserId): Promise<DraftRow[]> {
  const { rows } = await client.query<DraftRow>({
    name: 'personal-drafts',
    text: `SELECT draft_id AS id, target, content, topic, edited_at AS "editedAt" FROM view.drafts
      WHERE realm_id = $1 AND user_id = $2 AND content IS NOT NULL ORDER BY edited_at DESC, draft_id DESC`,
    values: [realmId, userId],
  });
  return rows;
}

/** The ids of the drafts of each of these accounts, ascending. Accounts without any are left out. */
export async function readDraftIds(
  client: Pool,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, readonly number[]>> {
  const { rows } = await client.query<{ userId: UserId; id: number }>({
    name: 'personal-draft-ids',
    text: `SELECT user_id AS "userId", draft_id AS id FROM view.drafts
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) ORDER BY user_id, draft_id`,
    values: [realmId, userIds],
  });
  return grouped(
    rows,
    ({ userId }) => userId,
    ({ id }) => id,
  );
}

/** Whether the account has this draft: it was neither deleted nor discarded. */
export async function isDraftKept(client: Pool, realmId: RealmId, userId: UserId, draftId: number): Promise<boolean> {
  const { rows } = await client.query({
    name: 'personal-draft-kept',
    text: 'SELECT FROM view.drafts WHERE realm_id = $1 AND user_id = $2 AND draft_id = $3',
    values: [realmId, userId, draftId],
  });
  return rows.length > 0;
}

/** The JSON of a draft. */
export function presentDraft({ id, target, topic, content, editedAt }: DraftRow) {
  return { id, ...destination(target), topic, content, timestamp: unixSeconds(editedAt) };
}

function destination(target: DraftDestination): { type: '' | 'private' | 'stream'; to: readonly number[] } {
  if (target === null) return { type: '', to: [] };
  return 'channelId' in target ? { type: 'stream', to: [target.channelId] } : { type: 'private', to: target.userIds };
}

/** contract/boot.md section 4.1 */
export const draftsRegisterBlock: RegisterBlock = {
  keys: ['drafts'],
  read: async ({ client, realmId }, { userId }) => ({
    drafts: (await readDrafts(client, realmId, userId)).map(presentDraft),
  }),
};

/** The actor's own drafts. */
export class ListDrafts extends Query<readonly DraftRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListDrafts)
export class ListDraftsHandler implements IQueryHandler<ListDrafts> {
  constructor(
    private readonly kernel: Kernel,
    private readonly settings: OwnSettingsFacts,
  ) {}

  /** @throws Rejected BAD_REQUEST for an actor who does not synchronize drafts */
  async execute({ by: { realmId, userId } }: ListDrafts): Promise<readonly DraftRow[]> {
    const { enable_drafts_synchronization: isSynchronized } = await this.settings.of(realmId, userId);
    if (!isSynchronized) throw reject.draftsNotSynchronized();
    return readDrafts(this.kernel.database.pool, realmId, userId);
  }
}
