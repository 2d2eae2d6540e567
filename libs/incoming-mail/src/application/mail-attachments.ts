import { UploadFile } from '@annals/files';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { ServerFeatures } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Attachment } from 'mailparser';
import { cleanText } from '../domain/clean-text';

/** Files of one mail. */
const MOST = 20;
const MIB = 1024 * 1024;
/** Characters of the name of a file, of its end: the links to all files must fit into a message. */
const LONGEST_NAME = 60;

/** The files of a mail, as its message has them. */
export interface StoredFiles {
  /** Links to them, one a line. It says which ones were not stored. Empty without files. */
  readonly links: string;
  /** The paths of the links. */
  readonly paths: readonly string[];
}

/** Files of mails become uploaded files. */
@Injectable()
export class MailAttachments {
  constructor(
    private readonly commands: CommandBus,
    private readonly features: ServerFeatures,
  ) {}

  /** Stores the files of a mail as an account. */
  async store(by: Actor, attachments: readonly Attachment[]): Promise<StoredFiles> {
    const files = attachments.filter(
      ({ contentDisposition, related }) => contentDisposition === 'attachment' || !related,
    );
    const lines: string[] = [];
    const paths: string[] = [];
    for (const file of files.slice(0, MOST)) {
      const { line, path } = await this.storeOne(by, file);
      lines.push(line);
      if (path !== null) paths.push(path);
    }
    if (files.length > MOST) lines.push(`*${files.length - MOST} more files were not stored.*`);
    return { links: lines.join('\n'), paths };
  }

  /** The path is null if the file was not stored. */
  private async storeOne(by: Actor, { filename, contentType, content }: Attachment) {
    const name = nameOf(filename);
    const failed = (why: string) => ({ line: `*${code(name)} ${why}*`, path: null });
    if (content.length > this.features.maxUploadMib * MIB) return failed('is too large to be stored.');
    try {
      const uploaded = await this.commands.execute(new UploadFile(by, { name, contentType, content: once(content) }));
      const path = `${by.realmId}/${uploaded.key}/${uploaded.name.inAddress}`;
      return { line: `[${name}](/user_uploads/${path})`, path };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return failed(`was not stored: ${error.message}`);
    }
  }
}

function nameOf(filename: string | undefined): string {
  const name = cleanText(filename ?? '').replace(/[[\]\s]+/g, ' ');
  return [...name].slice(-LONGEST_NAME).join('').trim() || 'file';
}

const code = (name: string): string => `\`${name.replaceAll('`', '´')}\``;

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
