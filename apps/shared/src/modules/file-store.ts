import { join } from 'node:path';
import type { FileStore } from '@annals/kernel';
import { DiskFileStore } from '@annals/kernel';
import type { Settings } from '../settings';

/** Folder of the bytes of files. */
export const filesFolderOf = ({ ANNALS_DATA_DIR }: Pick<Settings, 'ANNALS_DATA_DIR'>): string =>
  join(ANNALS_DATA_DIR, 'files');

/** Where the bytes of files are kept; every api and worker must reach the same place. */
export const fileStoreOf = (settings: Pick<Settings, 'ANNALS_DATA_DIR'>): FileStore =>
  new DiskFileStore(filesFolderOf(settings));
