import type { RegisterBlock } from '@annals/kernel';
import { presentCustomEmoji, readCustomEmoji } from './custom-emoji';

/** contract/boot.md section 4.1 */
export const emojiRegisterBlock: RegisterBlock = {
  keys: ['realm_emoji'],
  read: async ({ client, realmId }) => ({
    realm_emoji: presentCustomEmoji(realmId, await readCustomEmoji(client, realmId)),
  }),
};
