import type { ClientBase } from 'pg';
import { HOLDING_SQL } from '../database/database';
import type { Instant, RealmId } from '../domain/index';
import { noteErasure } from '../erasure/storage-cleanup';
import type { FileStore, FolderSize } from '../files/file-store';
import type { Kernel } from '../kernel';
import { dropLeftPasts } from '../past/whole/pasts';
import { forgetJobs } from '../queues/forget-jobs';
import type { JobData } from '../queues/job';
import { QueuesUnavailable } from '../queues/queues-unavailable';
import type { OtherFiles } from './other-files';
import { deleteFiles, measureFiles } from './realm-folders';
import { countRows, deleteRows, realmTables } from './realm-tables';

/**
 * What was running when a deletion began may write for so long (ms): a statement, a page of a follower, an upload. After that
 * nothing is left once a pass finds nothing.
 */
const SETTLING_MS = 120_000;

/** What a deletion would remove. */
export interface DeletionCount {
  /** Rows by table, without empty tables. */
  readonly rows: ReadonlyMap<string, number>;
  readonly files: number;
  readonly bytes: number;
  /** Mails in the folder of a server without a mail server. */
  readonly mails: FolderSize;
}

/**
 * Deletes organizations for good: log, read models, secrets, queues, files, mails, jobs and pasts. First the log gets no head any
 * more, so that nothing can be written to it. Then everything is deleted in small steps, again and again, until a pass finds
 * nothing that was written meanwhile. Several workers may do so at once.
 */
export class RealmDeletions {
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'clock' | 'options' | 'queues' | 'queueNames' | 'tail'>,
    private readonly store: FileStore,
    private readonly mails: OtherFiles,
  ) {}

  /** What would be deleted of an organization now. */
  async count(realmId: RealmId): Promise<DeletionCount> {
    const { pool } = this.kernel.database;
    const rows = new Map<string, number>();
    for (const table of await realmTables(pool)) {
      const count = await countRows(pool, table, realmId);
      const name = table.schema === 'public' ? table.name : `${table.schema}.${table.name}`;
      if (count > 0) rows.set(name, count);
    }
    const mails = await this.mails.measure(realmId);
    return { rows, ...(await measureFiles(this.store, this.kinds, realmId)), mails };
  }

  /**
   * Ends the log of an organization, unless the condition no longer holds. From then on it cannot be saved.
   *
   * @param isDue under the lock of its head, after which nothing else is written
   * @returns whether it was ended
   */
  async begin(realmId: RealmId, isDue: (client: ClientBase) => Promise<boolean>): Promise<boolean> {
    const { database, clock } = this.kernel;
    return database.transaction('BEGIN', async (client) => {
      await client.query(HOLDING_SQL);
      await client.query('SELECT FROM realm_heads WHERE realm_id = $1 FOR UPDATE', [realmId]);
      if (!(await isDue(client))) return false;
      await client.query('INSERT INTO deleted_realms (realm_id, deleted_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        realmId,
        clock.now(),
      ]);
      // A follower without its checkpoint has nothing to do in a log without a head.
      await client.query('DELETE FROM projection_checkpoints WHERE realm_id = $1', [realmId]);
      await client.query('DELETE FROM realm_heads WHERE realm_id = $1', [realmId]);
      return true;
    });
  }

  /** Deletes what is left of organizations whose logs have ended. @returns those of which nothing is left now */
  async empty(): Promise<RealmId[]> {
    const { pool } = this.kernel.database;
    const { rows } = await pool.query<{ realmId: RealmId; deletedAt: Instant }>(
      `SELECT realm_id AS "realmId", deleted_at AS "deletedAt" FROM deleted_realms
       WHERE emptied_at IS NULL ORDER BY realm_id`,
    );
    const emptied: RealmId[] = [];
    for (const { realmId, deletedAt } of rows) {
      const found = await this.pass(realmId).catch((err: unknown) => this.failed(err, realmId));
      if (found !== 0 || this.kernel.clock.now() - deletedAt < SETTLING_MS) continue;
      await this.finish(realmId);
      emptied.push(realmId);
    }
    return emptied;
  }

  /** A later pass tries again. It holds up no other organization. */
  private failed(err: unknown, realm: RealmId): null {
    this.kernel.options.log.warn({ err, realm }, 'not all of a deleted organization could be deleted');
    return null;
  }

  /** @returns how much was found */
  private async pass(realmId: RealmId): Promise<number> {
    const { database, tail } = this.kernel;
    tail.forget(realmId);
    const held = await dropLeftPasts(database, (past) => past.realmId === realmId);
    let found = held.length + (await this.deleteJobs(realmId));
    for (const table of await realmTables(database.pool)) found += await deleteRows(database.pool, table, realmId);
    const mails = await this.mails.measure(realmId);
    await this.mails.delete(realmId);
    const { files } = await measureFiles(this.store, this.kinds, realmId);
    await deleteFiles(this.store, this.kinds, realmId);
    return found + files + mails.files;
  }

  private async finish(realmId: RealmId): Promise<void> {
    const { database, clock, options } = this.kernel;
    // PostgreSQL keeps old versions of rows until they are cleaned away. Noted first, so that a crash in between repeats it.
    await noteErasure(database.pool);
    await database.pool.query('UPDATE deleted_realms SET emptied_at = $2 WHERE realm_id = $1', [realmId, clock.now()]);
    options.log.info({ realm: realmId }, 'an organization was deleted');
  }

  /** Wake-ups name the organization, and those that failed are kept. @returns how many there were */
  private async deleteJobs(realmId: RealmId): Promise<number> {
    try {
      const queues = await this.kernel.queues();
      let deleted = 0;
      for (const name of this.kernel.queueNames)
        deleted += await forgetJobs(queues, name, (data) => isOf(data, realmId));
      return deleted;
    } catch (error) {
      // A later pass deletes them. Until then the deletion is not complete.
      if (error instanceof QueuesUnavailable) return 1;
      throw error;
    }
  }

  private get kinds() {
    return this.kernel.options.contexts.flatMap(({ bytes }) => bytes);
  }
}

/** Wake-ups have the organization as their key, and other jobs name it. */
const isOf = ({ key, realmId }: JobData, organization: RealmId): boolean =>
  key === organization || realmId === organization;
