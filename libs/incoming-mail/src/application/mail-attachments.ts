import { UploadFile } from '@annals/files';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { ServerFeatures } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Attachment } from 'mailparser';

/** Files of one mail. */
const MOST = 20;
const MIB = 1024 * 1024;

/** Files of mails become uploaded files. */
@Injectable()
export class MailAttachments {
  constructor(
    private readonly commands: CommandBus,
    private readonly features: ServerFeatures,
  ) {}

  /** Links to the files of a mail, one a line. It says which files were not stored. Empty without files. */
  async linksTo(by: Actor, attachments: readonly Attachment[]): Promise<string> {
    const files = attachments.filter(
      ({ contentDisposition, related }) => contentDisposition === 'attachment' || !related,
    );
    const lines: string[] = [];
    for (const file of files.slice(0, MOST)) lines.push(await this.lineFor(by, file));
    if (files.length > MOST) lines.push(`*${files.length - MOST} more files were not stored.*`);
    return lines.join('\n');
  }

  private async lineFor(by: Actor, { filename, contentType, content }: Attachment): Promise<string> {
    const name = (filename ?? 'file').replace(/[[\]\p{Cc}]+/gu, ' ').trim() || 'file';
    if (content.length > this.features.maxUploadMib * MIB) return `*${code(name)} is too large to be stored.*`;
    try {
      const uploaded = await this.commands.execute(new UploadFile(by, { name, contentType, content: once(content) }));
      return `[${name}](/user_uploads/${by.realmId}/${uploaded.key}/${uploaded.name.inAddress})`;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return `*${code(name)} was not stored: ${error.message}*`;
    }
  }
}

const code = (name: string): string => `\`${name.replaceAll('`', '´')}\``;

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
