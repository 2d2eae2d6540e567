import type { WireEvent } from '../server/caller';
import type { WireEmoji } from '../requests/emoji';

type EmojiById = Readonly<Record<string, WireEmoji>>;

/** Custom emoji after a `realm_emoji` event (contract/realtime.md section 6.5). */
export function emojiAfter(event: WireEvent, known: EmojiById): EmojiById {
  switch (event.op) {
    case 'update':
      return event['realm_emoji'] as EmojiById;
    case 'add': {
      const added = event['emoji'] as WireEmoji;
      return { ...known, [added.id]: added };
    }
    case 'update_one': {
      const id = event['emoji_id'] as string;
      const before = known[id];
      if (!before) throw new Error(`received a change of an unknown emoji: ${id}`);
      return { ...known, [id]: { ...before, ...(event['data'] as Partial<WireEmoji>) } };
    }
    default:
      throw new Error(`this client does not know what realm_emoji ${String(event.op)} means`);
  }
}
