import { resolve } from 'node:path';
import { restoreBackup } from '@annals/kernel';
import { contexts } from '../../../shared/src/contexts';
import { filesFolderOf } from '../../../shared/src/modules/file-store';
import { openKernel } from '../../../shared/src/open-kernel';
import type { Settings } from '../../../shared/src/settings';
import { progress } from '../progress';
import { rebuildProgress } from '../rebuild-progress';
import { describe } from './backup';
import { completeRestore } from './restored';

/**
 * `annals restore`: restores a backup into an empty database and data folder, builds the read models from its log and
 * continues as another installation.
 *
 * @returns 0
 * @throws Error when the backup is incomplete or was changed, or the database is not empty
 */
export async function restore(settings: Settings, folder: string, print: (line: string) => void): Promise<number> {
  const bar = progress('restore');
  try {
    const manifest = await restoreBackup(resolve(folder), {
      databaseUrl: settings.DATABASE_URL ?? '',
      files: filesFolderOf(settings),
      contexts,
      onProgress: (done, total, doing) => bar.update(done, total, doing),
    });
    bar.stop();
    print(`The rows of the backup of ${manifest.at} are in the database.`);
    for (const line of describe(manifest)) print(line);
  } finally {
    bar.stop();
  }
  print('If this is interrupted now, continue with "annals views upgrade" and "annals restored".');
  await buildReadModels(settings, print);
  await completeRestore(settings, print);
  print('Done. Check it with "annals verify", then start api and worker.');
  return 0;
}

async function buildReadModels(settings: Settings, print: (line: string) => void): Promise<void> {
  const kernel = await openKernel({ ...settings, ANNALS_LOG_LEVEL: 'error' }, { poolSize: 4 });
  try {
    let built: readonly string[] = [];
    await rebuildProgress(kernel).run(async (rebuild) => void (built = await rebuild.upgrade()));
    print(`${built.length} read models were built from the log`);
  } finally {
    await kernel.close();
  }
}
