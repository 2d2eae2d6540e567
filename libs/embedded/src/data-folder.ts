import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CannotStart, reasonOf } from './cannot-start';

/**
 * Creates the data folder if it is missing, and returns its path without symbolic links.
 * @throws CannotStart if the folder cannot be created or written to
 */
export function createDataFolder(path: string): string {
  try {
    createFolder(resolve(path));
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw new CannotStart(`The data folder ${path} cannot be used: ${reasonOf(error)}.`);
  }
}

/**
 * Creates one folder after the other: the recursive form of Node never returns where the system refuses folders, such
 * as below /proc.
 */
function createFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder');
    return;
  }
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
