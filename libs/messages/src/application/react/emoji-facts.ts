import type { RealmId } from '@annals/kernel/domain';
import { UNICODE_EMOJI, unicodeEmojiCode } from '@annals/markdown';
import { CustomEmojiFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { KnownEmoji } from '../../domain/reaction/emoji-choice';

/** All emoji of an organization, from caches. */
@Injectable()
export class EmojiFacts {
  constructor(private readonly custom: CustomEmojiFacts) {}

  async known(realmId: RealmId): Promise<KnownEmoji> {
    const custom = await this.custom.of(realmId);
    return {
      custom: custom.map(({ id, name, deactivatedPosition }) => ({
        id,
        name,
        isDeactivated: deactivatedPosition !== null,
      })),
      unicodeCode: unicodeEmojiCode,
      isUnicode: (code) => UNICODE_EMOJI.has(code),
    };
  }
}
