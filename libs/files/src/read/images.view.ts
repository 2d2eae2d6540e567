import { defineProjection, on } from '@annals/kernel';
import { FileDeleted, FileUploaded, ImageRefused, ThumbnailsMade, fileIdAt } from '../domain/events';
import { isImageType } from '../domain/image';

/** Uploaded images and their thumbnails. */
export const imagesView = defineProjection({
  name: 'file_images',
  version: 1,
  lifecycle: 'inline',
  tables: {
    file_images: {
      columns: {
        file_id: 'int8',
        key: 'text',
        /** `awaited`: a worker has to make thumbnails; `ready`: they exist; `refused`: there are none. */
        state: 'text',
        /** Bytes of the original. */
        size: 'int8',
        /** Milliseconds. */
        uploaded_at: 'int8',
        /** Type by its bytes, and size in pixels. Null if they are not known. */
        content_type: 'text',
        width: 'int4',
        height: 'int4',
        is_animated: 'bool',
        /** Where the thumbnails are, and their names. Null without them. */
        made: 'text',
        formats: 'text[]',
        is_deleted: 'bool',
      },
      key: ['file_id'],
      indexes: [
        { on: ['key'], unique: true },
        { on: ['file_id'], where: "state = 'awaited'" },
      ],
    },
  },
  handlers: [
    on(FileUploaded, ({ data: { key, size, contentType, image }, position, at }, rows) => {
      if (!isImageType(contentType)) return;
      rows.insert('file_images', {
        file_id: fileIdAt(position),
        key,
        state: 'awaited',
        size,
        uploaded_at: at,
        content_type: image?.contentType ?? null,
        width: image?.width ?? null,
        height: image?.height ?? null,
        is_animated: false,
        made: null,
        formats: null,
        is_deleted: false,
      });
    }),
    on(ThumbnailsMade, ({ data: { fileId, contentType, width, height, isAnimated, made, formats } }, rows) => {
      const known = { content_type: contentType, width, height, is_animated: isAnimated };
      rows.update('file_images', { file_id: fileId }, { state: 'ready', ...known, made, formats });
    }),
    on(ImageRefused, ({ data: { fileId } }, rows) => {
      rows.update('file_images', { file_id: fileId }, { state: 'refused' });
    }),
    on(FileDeleted, ({ data: { fileId } }, rows) => {
      rows.update('file_images', { file_id: fileId, state: 'awaited' }, { state: 'refused' });
      rows.update('file_images', { file_id: fileId }, { is_deleted: true });
    }),
  ],
});
