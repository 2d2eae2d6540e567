import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { CannotStart, reasonOf } from './cannot-start';

/**
 * Creates the data folder when it is missing and gives its path without links.
 * @throws CannotStart when we may not create it or not write to it.
 */
export function createDataFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw new CannotStart(`The data folder ${path} cannot be used: ${reasonOf(error)}.`);
  }
}
