import { count, fileId, messageId, t } from '@annals/kernel/domain';

/** An uploaded file (INTERFACE.md 2.5, contract/messages.md section 11). */
export const attachmentShape = t.Object(
  {
    id: fileId,
    name: t.String(),
    path_id: t.String({ description: 'The file is at `/user_uploads/{path_id}`.' }),
    size: count,
    create_time: t.Integer({ description: 'UNIX seconds.' }),
    message_ids: t.Array(messageId),
  },
  { $id: 'Attachment' },
);
