import type { FileKind } from '@annals/kernel';
import { FileStore, Kernel, ReferencedFiles } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { emojiKey } from '../read/custom-emoji';

/** Images of custom emoji, under the file names of `EmojiAdded`. */
export const EMOJI_PICTURES: FileKind = {
  name: 'emoji',
  storeKey: emojiKey,
  named:
    'EXISTS (SELECT FROM view.realm_emoji AS e WHERE e.realm_id = u.realm_id AND (e.file = u.key OR e.still_file = u.key))',
};

@Injectable()
export class EmojiStore extends ReferencedFiles {
  constructor(kernel: Kernel, store: FileStore) {
    super(kernel, store, EMOJI_PICTURES);
  }
}
