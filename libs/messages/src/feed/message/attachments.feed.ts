import { attachmentEvent } from '@annals/files';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, MessageId, Recorded } from '@annals/kernel/domain';
import { ContentEdited, MessageSent, MessagesDeleted, messageIdAt } from '../../domain/events';
import type { ReferenceChange } from '../../read/attachments/file-references';
import { referenceChanges } from '../../read/attachments/file-references';

type Changes = readonly ReferenceChange[];

/** Tells who uploaded a file that a message has begun to name it, or ceased to (contract/messages.md section 11). */
export const attachmentsFeed = defineFeed<Changes>({
  name: 'attachments',
  facts: ({ client, realmId }: FeedReader, events) => {
    const concerned = events.flatMap((event) =>
      messagesOf(event).map((messageId) => ({ messageId, position: event.position })),
    );
    return referenceChanges(client, realmId, concerned);
  },
  translations: [
    // Most messages name no file, and need no facts then.
    translate(MessageSent, updates, ({ data: { files = [] } }) => files.length > 0),
    translate(ContentEdited, updates),
    translate(MessagesDeleted, updates),
  ],
});

/** What was replaced or deleted may have named a file. */
function messagesOf(event: Recorded): readonly MessageId[] {
  switch (event.type) {
    case MessageSent.type:
      return [messageIdAt(event.position)];
    case ContentEdited.type:
      return [(event as Recorded<ContentEdited>).data.messageId];
    default:
      return (event as Recorded<MessagesDeleted>).data.messageIds;
  }
}

/** One for each file, however many of its messages are concerned. */
function updates({ position }: Recorded, changes: Changes): ClientEvent[] {
  const owners = new Map(
    changes.filter((change) => change.position === position).map(({ fileId, ownerId }) => [fileId, ownerId]),
  );
  return [...owners].map(([fileId, ownerId]) => attachmentEvent('update', fileId, ownerId));
}
