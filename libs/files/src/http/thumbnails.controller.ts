import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FileStore } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Bytes, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { THUMBNAILS, thumbnailKey } from '../application/thumbnail-store';
import { reject } from '../domain/rejections';
import type { FileImage } from '../read/file-images';
import { GetImage } from '../read/get-image';
import { closestFormat } from '../read/thumbnail-formats';
import { SAFE } from './downloads';
import { FileParams } from './files.params';

/** Everything before the last part of the path of a thumbnail is the path of its file. */
const THUMBNAIL = /^(.+)\/([^/]+)$/;

@Controller()
export class ThumbnailsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: FileStore,
  ) {}

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('GET', 'user_uploads/thumbnail/:realm_id/*filename', {
    audience: 'anyone',
    section: 'whole-interface 1.1',
    summary: 'A small picture of an uploaded image',
    root: true,
    returns: null,
  })
  async show(@By() by: Actor, @Params(FileParams) p: FileParams, @Info() info: RequestInfo) {
    const [, path, format] = THUMBNAIL.exec(p.filename) ?? [];
    if (path === undefined || format === undefined) throw reject.noSuchThumbnail();
    const image = await this.queries.execute(new GetImage(by, `${p.realm_id}/${path}`));
    return this.thumbnail(by, image, format, info);
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'thumbnail/status/:realm_id/*filename', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Whether an uploaded image has thumbnails already',
    returns: t.Object({ has_thumbnail: t.Boolean() }),
  })
  async status(@By() by: Actor, @Params(FileParams) p: FileParams) {
    const image = await this.queries.execute(new GetImage(by, `${p.realm_id}/${p.filename}`));
    return { has_thumbnail: image?.state === 'ready' };
  }

  private async thumbnail({ realmId }: Actor, image: FileImage | null, asked: string, info: RequestInfo) {
    const format = closestFormat(asked, image?.formats ?? []);
    if (!image?.made || format === undefined) throw reject.noSuchThumbnail();
    const content = await this.store.open(THUMBNAILS.storeKey(realmId, thumbnailKey(image.key, image.made, format)));
    if (!content) throw reject.noSuchThumbnail();
    const bytes = await buffer(content);
    const headers = { ...SAFE, ...HEADERS, 'Content-Length': String(bytes.length), ETag: `"${image.made}/${format}"` };
    return new Bytes(200, headers, Readable.from(info.wantsHeadersOnly ? [] : [bytes]));
  }
}

/** The bytes of a URL never change, but not everybody has access to them. */
const HEADERS = { 'Content-Type': 'image/webp', 'Cache-Control': 'private, immutable' };
