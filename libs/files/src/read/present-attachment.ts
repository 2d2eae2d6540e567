import type { MessageId, RealmId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { FileRow } from './file-row';
import { pathOf, shownName } from './file-row';

/** A file as clients of its owner see it (INTERFACE.md 2.5, contract/messages.md section 11). */
export const presentAttachment = (realmId: RealmId, file: FileRow, messageIds: readonly MessageId[]) => ({
  id: file.id,
  name: shownName(file),
  path_id: pathOf(realmId, file),
  size: file.size,
  create_time: unixSeconds(file.uploadedAt),
  message_ids: messageIds,
});
