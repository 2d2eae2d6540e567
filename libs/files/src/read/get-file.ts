import { Kernel } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import { FileAccess } from './file-access';
import type { FileRow } from './file-row';
import { readFiles, shownName } from './file-row';
import { TemporaryLinks } from './temporary-links';

/** A file by its path id, if the actor has access. */
export class GetFile extends Query<FileRow> {
  constructor(
    readonly by: Actor,
    readonly path: string,
  ) {
    super();
  }
}

@QueryHandler(GetFile)
export class GetFileHandler implements IQueryHandler<GetFile> {
  constructor(private readonly access: FileAccess) {}

  execute({ by, path }: GetFile): Promise<FileRow> {
    return this.access.at(by, path);
  }
}

/** A file by a temporary link, without a login. */
export class GetLinkedFile extends Query<FileRow> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    /** The last part of the link, which must be the file's name. */
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetLinkedFile)
export class GetLinkedFileHandler implements IQueryHandler<GetLinkedFile> {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: TemporaryLinks,
  ) {}

  async execute({ realmId, token, name }: GetLinkedFile): Promise<FileRow> {
    const id = await this.links.fileOf(realmId, token);
    if (id === null) throw reject.invalidLink();
    const file = (await readFiles(this.kernel.database.pool, realmId, [id])).get(id);
    if (!file || file.isDeleted) throw reject.noSuchFile();
    if (shownName(file) !== name) throw reject.invalidLink();
    return file;
  }
}
