import { resolve } from 'node:path';
import type { Manifest } from '@annals/kernel';
import { backUp } from '@annals/kernel';
import { contexts } from '../../../shared/src/contexts';
import { filesFolderOf } from '../../../shared/src/modules/file-store';
import { buildInfo } from '../../../shared/src/operation/build-info';
import type { Settings } from '../../../shared/src/settings';
import { progress } from '../progress';

/**
 * `annals backup`: writes everything that cannot be rebuilt into a folder, while the server runs.
 *
 * @returns 0
 * @throws Error when the folder is not empty or cannot be written
 */
export async function backup(settings: Settings, folder: string, print: (line: string) => void): Promise<number> {
  const { version, build } = buildInfo();
  const bar = progress('backup');
  try {
    const manifest = await backUp(resolve(folder), {
      databaseUrl: settings.DATABASE_URL ?? '',
      files: filesFolderOf(settings),
      contexts,
      program: `${version} (${build})`,
      at: new Date(),
      onProgress: (done, total, doing) => bar.update(done, total, doing),
    });
    bar.stop();
    for (const line of describe(manifest)) print(line);
    print('Done. The backup contains keys and messages: protect it.');
    return 0;
  } finally {
    bar.stop();
  }
}

/** The contents of a backup, for the operator. */
export function describe({ heads, tables, files }: Manifest): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    ...Object.entries(heads).map(([realm, head]) => `realm ${realm}: up to position ${head}`),
    `${rows} rows of ${tables.length} tables, ${files.count} files (${files.bytes} bytes)`,
  ];
}
