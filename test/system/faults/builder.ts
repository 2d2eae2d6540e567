import { Database } from '../../../libs/kernel/src/database/database';
import { withBuildLocks } from '../../../libs/kernel/src/projections/rebuild/build-lock';

/** A process that builds a read model, and never ends. Argument: database url. */
async function main(): Promise<void> {
  const database = await Database.connect(process.argv[2] ?? '');
  await withBuildLocks(database, ['notes'], async () => {
    process.send?.('builds');
    await new Promise(() => undefined);
  });
}

void main();
