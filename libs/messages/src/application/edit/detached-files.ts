import type { FileRow } from '@annals/files';
import { NOW, readFiles } from '@annals/files';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { FileId, MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { filesNamedBy, messagesNaming } from '../../read/attachments/file-references';

/** Finds the files to which no message links after an edit (INTERFACE.md 2.5). */
@Injectable()
export class DetachedFiles {
  constructor(private readonly kernel: Kernel) {}

  /**
   * Files of the actor to which only this message linked, and its new text does not.
   *
   * @param kept files that the new text links to
   */
  async by(work: Work, messageId: MessageId, kept: readonly FileId[] = []): Promise<FileRow[]> {
    const { pool } = this.kernel.database;
    const dropped = (await filesNamedBy(pool, work.realmId, messageId)).filter((id) => !kept.includes(id));
    if (dropped.length === 0) return [];
    const rows = await readFiles(pool, work.realmId, dropped);
    const own = [...rows.values()].filter((row) => row.ownerId === work.actor.userId && !row.isDeleted);
    const asked = own.map(({ id: fileId }) => ({ fileId, position: NOW }));
    const naming = await messagesNaming(pool, work.realmId, asked);
    return own.filter((_, n) => naming[n]?.every((id) => id === messageId)).sort((a, b) => a.id - b.id);
  }
}
