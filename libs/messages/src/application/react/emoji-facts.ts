import type { RealmId } from '@annals/kernel/domain';
import { UNICODE_EMOJI, unicodeEmojiCode } from '@annals/markdown';
import { OwnEmojiFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { KnownEmoji } from '../../domain/reaction/emoji-choice';

/** All emoji of an organization, from caches. */
@Injectable()
export class EmojiFacts {
  constructor(private readonly own: OwnEmojiFacts) {}

  async known(realmId: RealmId): Promise<KnownEmoji> {
    const own = await this.own.of(realmId);
    return {
      custom: own.map(({ id, name, deactivatedPosition }) => ({
        id,
        name,
        isDeactivated: deactivatedPosition !== null,
      })),
      unicodeCode: unicodeEmojiCode,
      isUnicode: (code) => UNICODE_EMOJI.has(code),
    };
  }
}
