import type { FileKind } from '@annals/kernel';
import { FileStore, Kernel, ReferencedFiles } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { avatarKey } from '../../read/profile/avatar';

/** Letters of the name that `AvatarChanged` gives the files of a picture. */
const NAME_LENGTH = 32;

/** Pictures of accounts in each of their sizes, under the names of their files. */
export const AVATARS: FileKind = {
  name: 'avatars',
  storeKey: avatarKey,
  named: `EXISTS (SELECT FROM view.users AS a WHERE a.realm_id = u.realm_id AND a.avatar_file = left(u.key, ${NAME_LENGTH}))`,
};

@Injectable()
export class AvatarStore extends ReferencedFiles {
  constructor(kernel: Kernel, store: FileStore) {
    super(kernel, store, AVATARS);
  }
}
