import { join } from 'node:path';
import type { Settings } from '../settings';

/** Folder of the mails of a server without a mail server. */
export const mailFolderOf = ({ ANNALS_DATA_DIR }: Pick<Settings, 'ANNALS_DATA_DIR'>): string =>
  join(ANNALS_DATA_DIR, 'mail');
