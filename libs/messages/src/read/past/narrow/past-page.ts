import type { MessageId } from '@annals/kernel/domain';
import { sentSince } from '../../placement/sent-since';
import type { FoundPage, IdSearch, MessagePage } from '../../query/message-pages';
import { NEWEST, idsFrom, pageAround, searchesAround } from '../../query/message-pages';
import type { PastFinder } from './past-finder';
import type { PastMessage } from '../past-messages';
import type { PastReading } from '../past-reading';

/** A page of the past. */
export interface PastPage extends FoundPage {
  readonly messages: ReadonlyMap<MessageId, PastMessage>;
}

/** Finds a page as `MessagePages` does. What was unread is not kept with its time, so `first unread` means the newest message. */
export async function findPastPage(reading: PastReading, finder: PastFinder, page: MessagePage): Promise<PastPage> {
  const messages = new Map<MessageId, PastMessage>();
  const find = async (search: IdSearch | null) => {
    const found = search ? await finder.find(search) : [];
    for (const message of found) messages.set(message.id, message);
    return found.map(({ id }) => id);
  };
  const anchor = await anchorOf(reading, finder, page.anchor);
  const { earlier, later } = searchesAround({ ...page, anchor });
  const [before, after] = [await find(earlier), await find(later)];
  return { anchor, messages, ...pageAround({ ...page, anchor }, before, after) };
}

async function anchorOf(reading: PastReading, finder: PastFinder, anchor: MessagePage['anchor']): Promise<number> {
  if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), NEWEST);
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest' || anchor === 'first unread') return NEWEST;
  const { client, realmId } = reading.reader;
  const since = await sentSince(client, realmId, reading.position, anchor.sentSince);
  const [first] = await finder.find({ range: idsFrom(since), order: 'oldest first', limit: 1 });
  return first?.id ?? NEWEST;
}
