import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { MessageContents, contentCache } from './message-json';
import type { LoadedMessages, MessageRow } from './message-row';
import { Renderings } from './rendering';

const REALM = 1 as RealmId;
const rowOf = (id: number, content: string): MessageRow =>
  ({
    ...{
      id: id as MessageId,
      senderId: 7 as UserId,
      client: 'test',
      isMe: false,
      sentAt: 0 as Instant,
      editedAt: null,
    },
    text: { position: id as Position, content, names: null },
  }) as unknown as MessageRow;
const loadedOf = (rows: readonly MessageRow[]): LoadedMessages =>
  ({
    realmId: REALM,
    rendered: new Renderings(REALM, false),
    rows: new Map(rows.map((row) => [row.id, row])),
    submessages: new Map(),
  }) as unknown as LoadedMessages;
const request = { asker: 'a reader', asHtml: true };
const messages = (count: number, letter: string) =>
  Array.from({ length: count }, (_, n) => rowOf(n + 1, letter.repeat(1_000)));

describe('the cached JSON of messages', () => {
  it('keeps its limit, and displaces what was not used for long', async () => {
    const cache = contentCache(10_000);
    const rows = messages(20, 'x');
    for (const { id } of rows) {
      const contents = new MessageContents(loadedOf(rows), request, cache);
      await contents.prepare(id);
      expect(cache.calculatedSize).toBeLessThanOrEqual(10_000);
      // The first message is used again and again.
      await contents.prepare(1 as MessageId);
    }
    const contents = new MessageContents(loadedOf(rows), request, cache);
    const isAtHand = ({ id }: MessageRow) => typeof contents.prepare(id) === 'number';
    const [first, second, last] = [rows[0], rows[1], rows[19]] as [MessageRow, MessageRow, MessageRow];
    expect([first, second, last].map(isAtHand)).toEqual([true, false, true]);
  });

  it('is that of the present text, in the requested form', async () => {
    const cache = contentCache(100_000);
    const contentOf = async (row: MessageRow, asHtml: boolean) => {
      const contents = new MessageContents(loadedOf([row]), { ...request, asHtml }, cache);
      await contents.prepare(row.id);
      return (JSON.parse(`{${contents.of(row.id).json}}`) as { content: string }).content;
    };
    const [before, after] = [rowOf(1, '*old*'), { ...rowOf(1, '*new*'), text: { ...rowOf(2, '*new*').text } }];
    expect(await contentOf(before, true)).toBe('<p><em>old</em></p>');
    expect(await contentOf(before, false)).toBe('*old*');
    expect(await contentOf(after, true)).toBe('<p><em>new</em></p>');
    expect(await contentOf(after, false)).toBe('*new*');
  });
});
