import type { Actor } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { FileAccess } from './file-access';
import { FileImageFacts } from './file-image-facts';
import type { FileImage } from './file-images';

/** The image at a path id, if the actor has access to it; null for a file that is no image. */
export class GetImage extends Query<FileImage | null> {
  constructor(
    readonly by: Actor,
    readonly path: string,
  ) {
    super();
  }
}

@QueryHandler(GetImage)
export class GetImageHandler implements IQueryHandler<GetImage> {
  constructor(
    private readonly access: FileAccess,
    private readonly images: FileImageFacts,
  ) {}

  async execute({ by, path }: GetImage): Promise<FileImage | null> {
    const { id } = await this.access.at(by, path);
    return (await this.images.byIds(by.realmId, [id])).get(id) ?? null;
  }
}
