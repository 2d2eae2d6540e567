import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import type { PreviewedText } from '../../application/previews/preview-links';
import type { ContentEdited, MessageSent } from '../../domain/events';
import { addPreviewTasks } from './preview-outbox-rows';

/** The queue that wakes a worker when a text links to pages. */
export const PREVIEW_QUEUE = 'link-previews';

/**
 * Reads the log and adds a task for each text with links, where the organization wants previews. Tasks commit with the
 * checkpoint. The job only wakes a worker, which also looks for them by itself.
 */
export function previewOutbox(kernel: Pick<Kernel, 'queues'>): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, PREVIEW_QUEUE);
  return {
    name: 'link-preview-tasks',
    begins: 'head',
    concerns: hasLinks,
    handle: async (page, client) => {
      const texts = page.filter(hasLinks).map(textOf);
      const [first] = texts;
      if (!first) return;
      const realm = await readRealm(client, first.realmId);
      if (!realm?.settings.inline_url_embed_preview) return;
      await addPreviewTasks(client, first.realmId, texts);
      wakeUps.note(first.realmId);
    },
    committed: wakeUps.committed,
  };
}

type Written = Recorded<MessageSent | ContentEdited>;

/** Texts that the server wrote have no previews. */
function hasLinks(event: Recorded): event is Written {
  const { type, data } = event as Written;
  if (type === 'messages.MessageSent') return data.hasLink && data.notice === undefined;
  return type === 'messages.ContentEdited' && data.hasLink;
}

const textOf = ({ realmId, position, ...event }: Written): PreviewedText => ({
  realmId,
  messageId: event.type === 'messages.ContentEdited' ? event.data.messageId : messageIdAt(position),
  contentPosition: position,
});
