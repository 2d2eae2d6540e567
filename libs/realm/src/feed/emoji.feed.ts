import type { PositionedClientEvent } from '@annals/kernel';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Position, RealmId } from '@annals/kernel/domain';
import { EmojiAdded, EmojiDeactivated } from '../domain/emoji-events';
import type { EmojiRow } from '../read/custom-emoji';
import { presentEmoji, presentCustomEmoji, readCustomEmoji } from '../read/custom-emoji';

/** The payload of `realm_emoji` events. Names are read at delivery. */
interface EmojiPayload {
  readonly emojiId: number;
  readonly op: 'add' | 'update_one';
}

const emojiEvent = (payload: EmojiPayload): ClientEvent[] => [
  { type: 'realm_emoji', audience: { kind: 'everyone' }, payload: { ...payload } },
];

/** contract/realtime.md section 6.5 */
export const emojiFeed = defineFeed({
  name: 'realm-emoji',
  translations: [
    translate(EmojiAdded, ({ data: { emojiId } }) => emojiEvent({ op: 'add', emojiId })),
    translate(EmojiDeactivated, ({ data: { emojiId } }) => emojiEvent({ op: 'update_one', emojiId })),
  ],
});

interface Loaded {
  readonly realmId: RealmId;
  readonly rows: readonly EmojiRow[];
}

/** One change for clients that support single ones, everything for the others (contract/realtime.md section 2.1). */
export const emojiPresenter = definePresenter<Loaded>({
  type: 'realm_emoji',
  load: async ({ client, realmId }) => ({ realmId, rows: await readCustomEmoji(client, realmId) }),
  present: (event, { realmId, rows }, { capabilities }) => {
    const then = asOf(rows, event.position);
    if (!capabilities.individual_emoji_changes) {
      return [{ type: 'realm_emoji', op: 'update', realm_emoji: presentCustomEmoji(realmId, then) }];
    }
    return [{ type: 'realm_emoji', ...change(event, realmId, then) }];
  },
  variant: (_event, _rows, { capabilities }) => String(capabilities.individual_emoji_changes),
});

function change(event: PositionedClientEvent, realmId: RealmId, rows: readonly EmojiRow[]) {
  const { op, emojiId } = event.payload as unknown as EmojiPayload;
  if (op === 'update_one') return { op, emoji_id: String(emojiId), data: { deactivated: true } };
  const row = rows.find(({ id }) => id === emojiId);
  if (!row) throw new Error(`emoji ${emojiId} does not exist`);
  return { op, emoji: presentEmoji(realmId, row) };
}

/** The emoji right after the event at a position. */
const asOf = (rows: readonly EmojiRow[], position: Position): EmojiRow[] =>
  rows
    .filter(({ addedPosition }) => addedPosition <= position)
    .map((row) => ({
      ...row,
      deactivatedPosition: (row.deactivatedPosition ?? Infinity) <= position ? row.deactivatedPosition : null,
    }));
