import type { RealmId } from '@annals/kernel/domain';
import { UNICODE_EMOJI, unicodeEmojiCode } from '@annals/markdown';
import { Injectable } from '@nestjs/common';
import type { KnownEmoji } from '../domain/emoji-choice';

/** Every emoji that an organization knows. */
@Injectable()
export class EmojiFacts {
  known(_realmId: RealmId): Promise<KnownEmoji> {
    const isUnicode = (code: string) => UNICODE_EMOJI.has(code);
    return Promise.resolve({ own: [], unicodeCode: unicodeEmojiCode, isUnicode });
  }
}
