import { Readable } from 'node:stream';
import { FileStore } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { RequestInfo } from '@annals/web';
import { Bytes, failure } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { UPLOADS } from '../application/upload-store';
import { wantedRange } from '../domain/byte-range';
import { isInert } from '../application/content-type';
import { reject } from '../domain/rejections';
import type { FileRow } from '../read/file-row';
import { shownName } from '../read/file-row';

/** A file, whatever its content is, loads nothing, runs nothing, and is no page of this server. */
export const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'; sandbox",
  'Referrer-Policy': 'no-referrer',
};

/** Sends the bytes of files to users with access. */
@Injectable()
export class Downloads {
  constructor(private readonly store: FileStore) {}

  /** All of the file or the range of the request. @throws Rejected 404 when its bytes do not exist */
  async of(realmId: RealmId, file: FileRow, info: RequestInfo): Promise<Bytes> {
    const headers = headersOf(file);
    const range = isSame(info.header('if-range'), headers.ETag)
      ? wantedRange(info.header('range'), file.size)
      : 'whole';
    if (range === 'unsatisfiable') return unsatisfiable(file.size);
    const isPart = range !== 'whole';
    const content = info.wantsHeadersOnly
      ? Readable.from([])
      : await this.store.open(UPLOADS.storeKey(realmId, file.key), isPart ? range : undefined);
    if (!content) throw reject.noSuchFile();
    const length = isPart ? range.end - range.start + 1 : file.size;
    const part = isPart && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` };
    return new Bytes(isPart ? 206 : 200, { ...headers, ...part, 'Content-Length': String(length) }, content);
  }
}

function headersOf(file: FileRow) {
  const { contentType, key } = file;
  return {
    ...SAFE,
    'Content-Type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'Content-Disposition': disposition(isInert(contentType) ? 'inline' : 'attachment', shownName(file)),
    'Accept-Ranges': 'bytes',
    // The bytes of a URL never change, but not everybody has access to them.
    'Cache-Control': 'private, immutable',
    ETag: `"${key}"`,
  };
}

/** A client that continues a download names its version. There is only one. */
const isSame = (ifRange: string | undefined, etag: string) => ifRange === undefined || ifRange === etag;

/** RFC 6266: a name in ASCII for all clients, and the full one for those that support RFC 8187. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function unsatisfiable(size: number): Bytes {
  const body = Buffer.from(JSON.stringify(failure('BAD_REQUEST', 'The file has no such range')));
  const headers = {
    ...SAFE,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Range': `bytes */${size}`,
    'Content-Length': String(body.length),
  };
  return new Bytes(416, headers, Readable.from([body]));
}
