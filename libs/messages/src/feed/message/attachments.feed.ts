import { attachmentEvent } from '@annals/files';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, MessageId, Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { ContentEdited, MessageSent, MessagesDeleted } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import type { ReferenceChange } from '../../read/attachments/file-references';
import { referenceChanges } from '../../read/attachments/file-references';

type Changes = readonly ReferenceChange[];

/** Notifies the owner of a file when a message gains or loses a link to it (contract/messages.md section 11). */
export const attachmentsFeed = defineFeed<Changes>({
  name: 'attachments',
  facts: ({ client, realmId }: FeedReader, events) => {
    const changed = events.flatMap((event) =>
      messagesOf(event).map((messageId) => ({ messageId, position: event.position })),
    );
    return referenceChanges(client, realmId, changed);
  },
  translations: [
    // Most messages link to no file and need no facts.
    translate(MessageSent, updates, ({ data: { files = [] } }) => files.length > 0),
    translate(ContentEdited, updates),
    translate(MessagesDeleted, updates),
    translate(MessageRestored, updates, ({ data: { files = [] } }) => files.length > 0),
  ],
});

/** Replaced and deleted texts may have linked to a file. */
function messagesOf(event: Recorded): readonly MessageId[] {
  switch (event.type) {
    case MessageSent.type:
      return [messageIdAt(event.position)];
    case ContentEdited.type:
    case MessageRestored.type:
      return [(event as Recorded<ContentEdited | MessageRestored>).data.messageId];
    default:
      return (event as Recorded<MessagesDeleted>).data.messageIds;
  }
}

/** One event for each file, for all of its messages together. */
function updates({ position }: Recorded, changes: Changes): ClientEvent[] {
  const owners = new Map(
    changes.filter((change) => change.position === position).map(({ fileId, ownerId }) => [fileId, ownerId]),
  );
  return [...owners].map(([fileId, ownerId]) => attachmentEvent('update', fileId, ownerId));
}
