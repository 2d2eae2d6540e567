import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointSigner, KeyStore } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { pino } from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import { setUpTestOrganization } from '../../../../test/support/server/organization';
import { contexts } from '../../../shared/src/contexts';

/** The log of a new organization, a folder for the keys that sign it, and what commands print. */
export class SignedLog {
  readonly realm = 1 as RealmId;
  readonly url = 'https://chat.example.com';
  readonly lines: string[] = [];
  readonly print = (line: string): void => void this.lines.push(line);

  private constructor(
    readonly database: TestDatabase,
    readonly kernel: Kernel,
    readonly clock: ManualClock,
    readonly folder: string,
  ) {}

  static async open(): Promise<SignedLog> {
    const [database, clock] = [await createTestDatabase(), new ManualClock()];
    const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
    const options = { databaseUrl: database.url, redisUrl, contexts, clock, log: pino({ level: 'silent' }) };
    const kernel = await Kernel.open(options);
    await setUpTestOrganization(kernel);
    return new SignedLog(database, kernel, clock, mkdtempSync(join(tmpdir(), 'annals-key-')));
  }

  /** Signs with these keys what nobody has signed yet. */
  signer(keys = new KeyStore({ folder: this.folder })): CheckpointSigner {
    return new CheckpointSigner(this.kernel, keys, new RealmFacts(this.kernel), new ServerAddress(this.url));
  }

  async head(): Promise<number> {
    return (await this.kernel.events.heads([this.realm])).get(this.realm) ?? 0;
  }

  /** Changes the log as a superuser can, who need not obey the trigger. */
  async tamper(...statements: readonly string[]): Promise<void> {
    await this.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      for (const statement of statements) await client.query(statement);
    });
  }

  async close(): Promise<void> {
    await this.kernel.close();
    await this.database.drop();
    rmSync(this.folder, { recursive: true });
  }
}
