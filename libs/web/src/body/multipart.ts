import { isUtf8 } from 'node:buffer';
import { Rejected } from '@annals/kernel/domain';
import type { MultipartFile } from '@fastify/multipart';
import { PayloadTooLargeException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_FORM_FIELDS, emptyFields } from './form';
import { reject } from './rejections';
import type { Fields } from '../params/spec';

/**
 * Reads the plain fields of a multipart body as UTF-8, whatever type they declare. Files in it are skipped.
 *
 * @throws PayloadTooLargeException before anything is read when the declared length is over the server's body limit
 * @throws Rejected BAD_REQUEST when the body is malformed or a field is not UTF-8
 */
export async function readFields(request: FastifyRequest): Promise<Fields> {
  const limit = request.server.initialConfig.bodyLimit ?? 0;
  if (Number(request.headers['content-length']) > limit) throw new PayloadTooLargeException();
  const fields = emptyFields();
  let received = 0;
  request.raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  try {
    for await (const part of parts(request, limit)) {
      if (received > limit) throw new PayloadTooLargeException();
      if (isFile(part)) part.file.resume();
      else fields[part.fieldname] = textOf(await part.toBuffer());
    }
  } catch (error) {
    dropRest(request);
    if (error instanceof PayloadTooLargeException || received > limit) throw new PayloadTooLargeException();
    throw error instanceof Rejected ? error : reject.malformed();
  }
  return fields;
}

/**
 * The rest of a body is read and dropped, or the next request of its connection would wait forever. No parts are parsed
 * in it.
 */
export function dropRest({ raw }: Pick<FastifyRequest, 'raw'>): void {
  raw.unpipe();
  raw.resume();
}

/**
 * Every part is read as a file: the parser for fields alters text that is not UTF-8, and parses a field that declares
 * JSON.
 */
const parts = (request: FastifyRequest, limit: number): AsyncIterableIterator<MultipartFile> =>
  request.files({
    isPartAFile: () => true,
    limits: { fileSize: limit, files: MAX_FORM_FIELDS, parts: MAX_FORM_FIELDS },
  });

const isFile = ({ filename }: { readonly filename?: string }): boolean => filename !== undefined;

/** @throws Rejected BAD_REQUEST when the bytes are not UTF-8 */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw reject.notUtf8();
  return bytes.toString();
}
