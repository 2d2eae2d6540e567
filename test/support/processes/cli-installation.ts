import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import { contexts } from '../../../apps/shared/src/contexts';
import { leaks } from '../laws/secrets-law';
import { createTestDatabase } from '../server/database';
import { setUpTestOrganization } from '../server/organization';

/** An installation with one organization and no running server, for commands of `annals`. */
export interface CliInstallation {
  readonly kernel: Kernel;
  /** The environment of commands that work on it. */
  readonly env: Readonly<Record<string, string>>;
  /** @throws Error if a secret was written where it must not be */
  close(): Promise<void>;
}

/** Opens an installation for commands of `annals`. */
export async function openCliInstallation(): Promise<CliInstallation> {
  const database = await createTestDatabase();
  const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
  const log = pino({ level: 'fatal' });
  const kernel = await Kernel.open({ databaseUrl: database.url, redisUrl, contexts, log, poolSize: 2 });
  await setUpTestOrganization(kernel);
  return {
    kernel,
    env: { DATABASE_URL: database.url, REDIS_URL: redisUrl ?? '' },
    async close() {
      expect(await leaks({ kernel, redisUrl: redisUrl === '' ? undefined : redisUrl, outputs: [] })).toEqual([]);
      await kernel.close();
      await database.drop();
    },
  };
}
