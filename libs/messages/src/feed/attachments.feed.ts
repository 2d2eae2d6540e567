import { attachmentEvent } from '@annals/files';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, MessageId, Position, Recorded } from '@annals/kernel/domain';
import { ContentEdited, MessageSent, messageIdAt } from '../domain/events';
import type { ReferenceChange } from '../read/file-references';
import { referenceChanges } from '../read/file-references';

type Changes = readonly ReferenceChange[];

/** Tells who uploaded a file that a message has begun to name it, or ceased to (contract/messages.md section 11). */
export const attachmentsFeed = defineFeed<Changes>({
  name: 'attachments',
  facts: ({ client, realmId }: FeedReader, events) => referenceChanges(client, realmId, events.flatMap(concerned)),
  translations: [
    translate(MessageSent, ({ position }, changes: Changes) => updates(changes, position)),
    translate(ContentEdited, ({ position }, changes: Changes) => updates(changes, position)),
  ],
});

/** Most messages name no file; a text that was replaced may have named one. */
function concerned(event: Recorded): { messageId: MessageId; position: Position }[] {
  const { position } = event;
  if (event.type === ContentEdited.type) {
    return [{ messageId: (event as Recorded<ContentEdited>).data.messageId, position }];
  }
  const { files = [] } = (event as Recorded<MessageSent>).data;
  return files.length === 0 ? [] : [{ messageId: messageIdAt(position), position }];
}

const updates = (changes: Changes, position: Position): ClientEvent[] =>
  changes
    .filter((change) => change.position === position)
    .map(({ fileId, ownerId }) => attachmentEvent('update', fileId, ownerId));
