import { ImageRefused, ThumbnailsMade } from '@annals/files';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, FactOf, MessageId, Position, Recorded } from '@annals/kernel/domain';
import { LinksPreviewed } from '../../domain/previews/preview';
import { messagesNaming } from '../../read/attachments/file-references';
import { audienceOf, readActivityFacts } from '../move/message-activity';
import type { ChangedPayload } from '../move/moves';
import { readProtectedHistory } from '../move/read-protected-history';

/** Client events by the position of what was noted. */
type Updates = ReadonlyMap<Position, readonly ClientEvent[]>;
type ImageNoted = Recorded<FactOf<typeof ThumbnailsMade> | FactOf<typeof ImageRefused>>;

/**
 * The newest messages with an image whose readers receive an event about its thumbnails. Few messages are sent in the seconds that
 * thumbnails take, and others show them when they are fetched.
 */
const MAX_MESSAGES = 100;

/** What a worker noted about images and links in messages changes their HTML only (contract/messages.md section 5.6). */
export const renderingsFeed = defineFeed<Updates>({
  name: 'renderings',
  facts: async (reader: FeedReader, events) => {
    const updates = new Map<Position, ClientEvent[]>();
    for (const event of events as readonly (ImageNoted | Recorded<LinksPreviewed>)[]) {
      const changed: ClientEvent[] = [];
      for (const id of await messagesOf(reader, event)) changed.push(...(await rerendered(reader, id, event)));
      updates.set(event.position, changed);
    }
    return updates;
  },
  translations: [
    translate(ThumbnailsMade, ({ position }, updates) => updates.get(position) ?? []),
    translate(LinksPreviewed, ({ position }, updates) => updates.get(position) ?? []),
    translate(ImageRefused, ({ position }, updates) => updates.get(position) ?? []),
  ],
});

/** The messages whose HTML changed. */
async function messagesOf(
  { client, realmId }: FeedReader,
  { data, position }: ImageNoted | Recorded<LinksPreviewed>,
): Promise<readonly MessageId[]> {
  if ('messageId' in data) return [data.messageId];
  const [naming = []] = await messagesNaming(client, realmId, [{ fileId: data.fileId, position }]);
  return naming.slice(-MAX_MESSAGES);
}

/** The update of one message, for everybody who would receive an edit of it. */
async function rerendered(
  reader: FeedReader,
  messageId: MessageId,
  { position, at }: Pick<Recorded, 'position' | 'at'>,
): Promise<ClientEvent[]> {
  const activity = { data: { messageId }, position };
  const facts = await readActivityFacts(reader, [activity]);
  const kept = await readProtectedHistory(reader, [activity], [], new Map(), facts.places);
  const audience = audienceOf(activity, { ...facts, kept });
  if (!audience) return [];
  const keepsHistory = (kept.get(position)?.after ?? null) !== null;
  const payload: ChangedPayload = { messageId, edited: null, moved: null, keepsHistory, renderedAt: at };
  return [{ type: 'update_message', audience, payload: { ...payload } }];
}
