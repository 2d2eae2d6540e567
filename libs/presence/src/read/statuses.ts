import type { RegisterBlock } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { readAccessibleUsers } from '@annals/messages';
import { isRestricted, readRealm } from '@annals/realm';
import { GetUser } from '@annals/users';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { EmojiType } from '@annals/kernel/domain';
import type { Status } from '../domain/status';
import { NO_STATUS } from '../domain/status';

interface StatusRow {
  readonly userId: UserId;
  readonly text: string;
  readonly type: EmojiType | null;
  readonly code: string | null;
  readonly name: string | null;
}

const COLUMNS = `s.user_id AS "userId", s.text, s.emoji_type AS type, s.emoji_code AS code, s.emoji_name AS name`;

const statusIn = ({ text, type, code, name }: StatusRow): Status => ({
  text,
  emoji: type === null || code === null || name === null ? null : { type, code, name },
});

/** The statuses of active users. */
async function readStatuses(client: ClientBase, realmId: RealmId): Promise<StatusRow[]> {
  const { rows } = await client.query<StatusRow>({
    name: 'presence-statuses',
    text: `SELECT ${COLUMNS} FROM view.user_statuses AS s
      JOIN view.users AS u ON u.realm_id = s.realm_id AND u.user_id = s.user_id AND u.is_active
      WHERE s.realm_id = $1 AND (s.text <> '' OR s.emoji_code IS NOT NULL) ORDER BY s.user_id`,
    values: [realmId],
  });
  return rows;
}

async function readStatus(pool: Pool, realmId: RealmId, userId: UserId): Promise<Status> {
  const { rows } = await pool.query<StatusRow>({
    name: 'presence-status',
    text: `SELECT ${COLUMNS} FROM view.user_statuses AS s WHERE s.realm_id = $1 AND s.user_id = $2`,
    values: [realmId, userId],
  });
  return rows[0] ? statusIn(rows[0]) : NO_STATUS;
}

/** A status without the parts that it does not have (contract/boot.md section 4.1). */
export const presentStatus = ({ text, emoji }: Status) => ({
  ...(text !== '' && { status_text: text }),
  ...(emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type }),
});

/** contract/boot.md section 4.1 */
export const statusRegisterBlock: RegisterBlock = {
  keys: ['user_status'],
  async read({ client, realmId }, by) {
    const realm = await readRealm(client, realmId);
    const isHidden = realm !== undefined && isRestricted(by, realm);
    const known = isHidden ? await readAccessibleUsers(client, realmId, by.userId) : null;
    const rows = (await readStatuses(client, realmId)).filter(({ userId }) => known?.has(userId) ?? true);
    return { user_status: Object.fromEntries(rows.map((row) => [row.userId, presentStatus(statusIn(row))])) };
  },
};

/** The status of one user (contract/whole-interface.md section 1). @throws Rejected BAD_REQUEST for a user whom the actor may not see */
export class GetStatus extends Query<Status> {
  constructor(
    readonly by: Actor,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetStatus)
export class GetStatusHandler implements IQueryHandler<GetStatus> {
  constructor(
    private readonly kernel: Kernel,
    private readonly queries: QueryBus,
  ) {}

  async execute({ by, userId }: GetStatus): Promise<Status> {
    const user = await this.queries.execute(new GetUser(by, String(userId)));
    return readStatus(this.kernel.database.pool, by.realmId, user.userId);
  }
}
