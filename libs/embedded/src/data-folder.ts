import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CannotStart, reasonOf } from './cannot-start';

/**
 * Creates the data folder when it is missing and gives its path without links.
 * @throws CannotStart when we may not create it or not write to it.
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

/** Step by step, because Node's own recursive form never returns where the system refuses folders, as below /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder');
    return;
  }
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
