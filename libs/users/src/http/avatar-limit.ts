import { MAX_AVATAR_MIB } from '@annals/realm';
import type { FileLimit } from '@annals/web';
import { reject } from '../domain/rejections';

/** Greatest size of a picture (contract/boot.md section 4.3). */
export const AVATAR_LIMIT: FileLimit = {
  maxBytes: MAX_AVATAR_MIB * 1024 * 1024,
  tooLarge: () => reject.avatarTooLarge({ mib: MAX_AVATAR_MIB }),
};
