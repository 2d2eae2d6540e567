import { Rejected } from '@annals/kernel/domain';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { isFrameworkRefusal } from '../answer/answer';
import { MAX_FORM_FIELDS, emptyFields } from './form';
import { dropRest, textOf } from './multipart';
import { reject } from './rejections';
import type { Fields } from '../params/spec';

/** An incoming file in a multipart body. */
export interface SentFile {
  /** The name that the client sent. Never empty. */
  readonly name: string;
  /** The type that the client sent. `text/plain` without one. */
  readonly contentType: string;
  /**
   * The bytes as they arrive. Ends only if the whole body was well-formed and had no other file.
   *
   * @throws Rejected BAD_REQUEST if it was not, and the refusal of `tooLarge`
   */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface FileLimit {
  /** Greatest size of the file. */
  readonly maxBytes: number;
  /** The refusal of a larger one. */
  readonly tooLarge: () => Rejected;
}

/** A request that receives the names of its plain fields, to report the ignored ones. */
type FileRequest = FastifyRequest & { body: Fields | undefined };

/** Greatest size of everything beside the file. */
const MAX_REST = 2 * 1024 * 1024;
/** Names that do not count as names: such a part counts as missing. */
const NAMELESS = /^(?:.*[/\\])?\s*\.{0,2}\s*$/s;

/**
 * The only file of a multipart body, whatever the name of its field is. Plain fields are skipped, and their names are
 * kept.
 *
 * @throws Rejected BAD_REQUEST when there is no file, or the body is no multipart body or malformed
 */
export async function sentFile(request: FileRequest, limit: FileLimit): Promise<SentFile> {
  if (!request.isMultipart()) throw noFile();
  const declared = Number(request.headers['content-length']);
  if (declared > limit.maxBytes + MAX_REST) throw limit.tooLarge();
  const body = new Body(request);
  const file = await body.nextFile().catch((error: unknown) => {
    body.drop();
    throw error;
  });
  if (!file) throw noFile();
  return { name: file.filename, contentType: file.mimetype, content: contentOf(file, body, limit) };
}

/**
 * Reads a multipart body with parameters and at most one file, which is held in memory as a whole.
 *
 * @returns the file's bytes. Null when there is none
 * @throws Rejected BAD_REQUEST when there are two, the body is malformed or a parameter is not UTF-8, and the refusal
 *   of `tooLarge`
 */
export async function fileBesideFields(request: FileRequest, limit: FileLimit): Promise<Uint8Array | null> {
  const declared = Number(request.headers['content-length']);
  if (declared > limit.maxBytes + MAX_REST) throw limit.tooLarge();
  const body = new Body(request, true);
  try {
    const file = await body.nextFile();
    if (!file) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of contentOf(file, body, limit)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    body.drop();
  }
}

async function* contentOf(file: MultipartFile, body: Body, { maxBytes, tooLarge }: FileLimit) {
  try {
    let size = 0;
    for await (const chunk of body.read(file)) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
    if (await body.nextFile()) throw new Rejected('BAD_REQUEST', 'You may only upload one file at a time');
  } finally {
    body.drop();
  }
}

/** The parts of a body, one after another. Parsing ends when the caller stops. */
class Body {
  private readonly parts: AsyncIterator<MultipartFile>;
  private readonly plain = emptyFields();
  private rest = 0;

  /** @param keepsTexts plain fields are parameters. Without it only their names are kept */
  constructor(
    private readonly request: FileRequest,
    private readonly keepsTexts = false,
  ) {
    request.body = this.plain;
    // Every part is read as a file: the parser for fields holds all of it, and parses a field that declares JSON.
    this.parts = request.files({ isPartAFile: () => true, limits: { fileSize: Infinity, parts: MAX_FORM_FIELDS } });
  }

  async nextFile(): Promise<MultipartFile | undefined> {
    for (;;) {
      const next = await wellFormed(() => this.parts.next());
      if (next.done) return undefined;
      const part = next.value;
      const name = (part as { filename?: string }).filename;
      if (name !== undefined && !NAMELESS.test(name)) return part;
      const text = await this.readOver(part);
      if (name === undefined) this.plain[part.fieldname] = text;
    }
  }

  private async readOver(part: MultipartFile): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(part)) {
      this.rest += chunk.length;
      if (this.rest > MAX_REST) throw new Rejected('BAD_REQUEST', 'Too much beside the file');
      if (this.keepsTexts) chunks.push(chunk);
    }
    return textOf(Buffer.concat(chunks));
  }

  async *read({ file }: MultipartFile): AsyncGenerator<Buffer> {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const next = await wellFormed(() => chunks.next());
      if (next.done) return;
      yield next.value;
    }
  }

  drop(): void {
    dropRest(this.request);
  }
}

async function wellFormed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isFrameworkRefusal(error) || error instanceof Rejected) throw error;
    throw reject.malformed();
  }
}

const noFile = () => new Rejected('BAD_REQUEST', 'You must specify a file to upload');
