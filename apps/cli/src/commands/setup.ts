import type { SetupReport } from '@annals/embedded';
import { CannotStart, reasonOf } from '@annals/embedded';
import { Database, migrate } from '@annals/kernel';
import { setUpOrganization } from '@annals/onboarding';
import { contexts } from '../../../shared/src/contexts';
import type { Settings } from '../../../shared/src/settings';
import { defaultAddressOf, openKernel } from '../../../shared/src/open-kernel';
import { ensureNotNewer, ensureSuitable } from '../../../shared/src/suitable-database';

/**
 * `annals setup`: updates the schema and creates the first organization with its owner if there is none. May be
 * repeated. Several at once create one organization.
 *
 * @returns 0
 * @throws CannotStart when the database is unsuitable, or belongs to a newer program
 */
export async function setup(settings: Settings, json: boolean, print: (line: string) => void): Promise<number> {
  await updateSchema(settings);
  const kernel = await openKernel({ ...settings, ANNALS_LOG_LEVEL: 'error' }, { poolSize: 4 });
  try {
    await kernel.store.ensureLive(kernel.projections);
    const url = defaultAddressOf(settings);
    const { created, ownerEmail, apiKey } = await setUpOrganization(kernel, {
      organization: settings.ANNALS_ORGANIZATION,
      ownerEmail: settings.ANNALS_OWNER_EMAIL,
      ownerPassword: settings.ANNALS_OWNER_PASSWORD,
      ownerApiKey: settings.ANNALS_OWNER_API_KEY,
      url,
    });
    const report: SetupReport = { created, realmUrl: url, ownerEmail, apiKey };
    for (const line of json ? [JSON.stringify(report)] : describe(report)) print(line);
    return 0;
  } finally {
    await kernel.close();
  }
}

async function updateSchema(settings: Settings): Promise<void> {
  const database = await Database.connect(settings.DATABASE_URL ?? '', {
    migrations: contexts.flatMap((context) => context.migrations),
    poolSize: 2,
  });
  try {
    await ensureSuitable(database);
    await ensureNotNewer(database);
    await migrate(database);
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`The database schema cannot be updated: ${reasonOf(error)}.`);
  } finally {
    await database.close();
  }
}

function describe({ created, realmUrl, ownerEmail, apiKey }: SetupReport): string[] {
  if (!created) return [`The organization of ${ownerEmail} already exists, at ${realmUrl}.`];
  return [`Created the organization at ${realmUrl}.`, `Owner: ${ownerEmail}`, `API key: ${apiKey} (not shown again)`];
}
