import { join } from 'node:path';
import type { FileStore } from '@annals/kernel';
import { DiskFileStore } from '@annals/kernel';
import type { Settings } from './settings';

/** Where the bytes of files are kept; every api and worker must reach the same place. */
export const fileStoreOf = ({ ANNALS_DATA_DIR }: Pick<Settings, 'ANNALS_DATA_DIR'>): FileStore =>
  new DiskFileStore(join(ANNALS_DATA_DIR, 'files'));
