import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';
import type { FileRow } from './file-row';
import { filesAt } from './file-row';
import { FileUses } from './file-uses';

/**
 * Access to a file: for its uploader, and users who may see a message that links to it (contract/messages.md section
 * 11).
 */
@Injectable()
export class FileAccess {
  constructor(
    private readonly kernel: Kernel,
    private readonly uses: FileUses,
  ) {}

  /** The files at these path ids to which the account has access. */
  async amongPaths(by: Actor, paths: readonly string[]): Promise<FileRow[]> {
    if (paths.length === 0) return [];
    return this.accessible(by, await filesAt(this.kernel.database.pool, by.realmId, paths));
  }

  /** @throws Rejected 404 when there is no such file, 403 when the account has no access to it */
  async at(by: Actor, path: string): Promise<FileRow> {
    const found = await filesAt(this.kernel.database.pool, by.realmId, [path]);
    if (found.length === 0) throw reject.noSuchFile();
    const [file] = await this.accessible(by, found);
    if (!file) throw reject.notForYou();
    return file;
  }

  private async accessible(by: Actor, files: readonly FileRow[]): Promise<FileRow[]> {
    const others = files.filter(({ ownerId }) => ownerId !== by.userId).map(({ id }) => id);
    const visible = others.length === 0 ? new Set() : await this.uses.visibleTo(by, others);
    return files.filter(({ id, ownerId }) => ownerId === by.userId || visible.has(id));
  }
}
