import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotStart } from './cannot-start';
import { createDataFolder } from './data-folder';
import type { RunAs } from './guarded-process';
import { serviceEnvironment } from './service-environment';

/** Place of the files if root's PostgreSQL cannot get access to the data folder itself. */
const SHARED_PLACE = '/var/lib/annals';

/**
 * The folder of PostgreSQL's files. If this process runs as root, also the user that owns the folder and runs
 * PostgreSQL.
 */
export interface PostgresHome {
  readonly path: string;
  readonly runAs: RunAs | undefined;
}

/**
 * Finds or creates `<dataDir>/postgres`. PostgreSQL refuses to run as root, and the user that it runs as instead may be
 * unable to enter a folder below root's own. In that case the files are in a shared place, and the entry is a link to
 * them.
 * @throws CannotStart if the files belong to another user, or their owner cannot reach them
 */
export function preparePostgresHome(dataDir: string): PostgresHome {
  const entry = join(createDataFolder(dataDir), 'postgres');
  if (process.getuid?.() !== 0) return ownHome(entry);
  if (lstatSync(entry, { throwIfNoEntry: false }) === undefined) return createHome(entry, unprivilegedUser());
  const path = realpathSync(entry);
  if (statSync(path).uid === 0) giveTo(unprivilegedUser(), path);
  const { uid, gid } = statSync(path);
  if (canUse(path, { uid, gid })) return { path, runAs: { uid, gid } };
  throw new CannotStart(
    `PostgreSQL does not run as root, and user ${uid}, who owns ${path}, may not enter the folders above it: ` +
      'open them to others, or move the data folder elsewhere and name it in ANNALS_DATA_DIR.',
  );
}

/** Whether this user may enter a folder or run a program, with all folders above it. */
export function canUse(path: string, runAs: RunAs | undefined): boolean {
  const test = ['-c', 'test -r "$1" -a -x "$1"', 'sh', path];
  return spawnSync('sh', test, { cwd: '/', env: serviceEnvironment(), ...runAs }).status === 0;
}

/** Makes this user the owner of a folder and of everything in it. */
export function giveTo(runAs: RunAs, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, name), runAs.uid, runAs.gid);
  }
  chownSync(folder, runAs.uid, runAs.gid);
}

function ownHome(entry: string): PostgresHome {
  if (!existsSync(entry)) mkdirSync(entry, { mode: 0o700 });
  const path = realpathSync(entry);
  const owner = statSync(path).uid;
  if (owner !== process.getuid?.())
    throw new CannotStart(`The database in ${path} belongs to user ${owner}. Start as that user or as root.`);
  return { path, runAs: undefined };
}

function createHome(entry: string, runAs: RunAs): PostgresHome {
  if (canUse(dirname(entry), runAs)) {
    mkdirSync(entry, { mode: 0o700 });
    giveTo(runAs, entry);
    return { path: entry, runAs };
  }
  mkdirSync(SHARED_PLACE, { recursive: true });
  chmodSync(SHARED_PLACE, 0o755); // The umask of root may exclude all other users.
  const path = mkdtempSync(join(SHARED_PLACE, 'postgres-'));
  giveTo(runAs, path);
  symlinkSync(path, entry);
  return { path, runAs };
}

function unprivilegedUser(): RunAs {
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((part) => spawnSync('id', [part, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new CannotStart('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.');
}
