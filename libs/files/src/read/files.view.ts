import { defineProjection, increment, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import { FileDeleted, FileUploaded, fileIdAt } from '../domain/events';

/** Files, and the sum of their bytes. */
export const filesView = defineProjection({
  name: 'files',
  version: 4,
  lifecycle: 'inline',
  tables: {
    files: {
      columns: {
        file_id: 'int8',
        owner_id: 'int4',
        key: 'text',
        /** The name and the path id. Both are null after the file was deleted or its owner erased. */
        name: 'text',
        address_name: 'text',
        content_type: 'text',
        /** Bytes. */
        size: 'int8',
        /** Milliseconds. */
        uploaded_at: 'int8',
        /** Position at which it was deleted. Null while it exists. */
        deleted: 'int8',
      },
      key: ['file_id'],
      indexes: [
        { on: ['key'], unique: true },
        { on: ['owner_id', 'file_id'], where: 'deleted IS NULL' },
        { on: ['deleted'], where: 'deleted IS NOT NULL' },
        { on: ['file_id'], where: 'name IS NULL AND deleted IS NULL' },
      ],
      sealed: ['name', 'address_name'],
    },
    upload_space: {
      columns: {
        /** `files`: the sum of all files of the organization. */
        scope: 'text',
        /** Bytes. */
        used: 'int8',
      },
      key: ['scope'],
      changesOften: true,
    },
  },
  handlers: [
    on(FileUploaded, ({ data, sealed, position, at }, rows) => {
      rows.insert('files', {
        file_id: fileIdAt(position),
        owner_id: data.ownerId,
        key: data.key,
        name: sealed === 'erased' ? null : sealed.name,
        address_name: sealed === 'erased' ? null : sealed.addressName,
        content_type: data.contentType,
        size: data.size,
        uploaded_at: at,
        deleted: null,
      });
      rows.insert('upload_space', { scope: 'files', used: 0 });
      rows.update('upload_space', { scope: 'files' }, { used: increment(data.size) });
    }),
    on(FileDeleted, ({ data, position }, rows) => {
      rows.update('files', { file_id: data.fileId }, { name: null, address_name: null, deleted: position });
      rows.update('upload_space', { scope: 'files' }, { used: increment(-data.size) });
    }),
    on(ProfileDeleted, ({ data }, rows) =>
      rows.update('files', { owner_id: data.userId }, { name: null, address_name: null }),
    ),
  ],
});
