import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { MailFailure } from '../../domain/mail-failure';
import type { OutgoingMail } from './mail-transport';
import { MailTransport } from './mail-transport';

/** Only the user of the server reads mails: they have links that log somebody in. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600];

/** Writes each mail into a file of its own, with a name that `MailFolder` reads, for a server without a mail server. Any mail program opens such files. */
export class FileTransport extends MailTransport {
  constructor(private readonly folder: string) {
    super();
  }

  override get where(): string {
    return `files in ${this.folder}`;
  }

  /** The file is there as a whole or not at all. A second attempt writes the same file. */
  override async send({ realmId, id, at, raw }: OutgoingMail): Promise<string> {
    const name = `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}-${realmId}-${id}.eml`;
    const unfinished = join(this.folder, `.${name}.${process.pid}`);
    try {
      await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE });
      const file = await open(unfinished, 'w', FILE_MODE);
      try {
        await file.writeFile(raw);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, join(this.folder, name));
      return name;
    } catch (error) {
      throw new MailFailure('away', (error as NodeJS.ErrnoException).code ?? 'no file');
    }
  }
}
