import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderSize } from '@annals/kernel';
import { OtherFiles } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';

/** Time, organization and id of a mail: `2026-01-01T00-00-00-1-<id>.eml`. One that is being written is hidden. */
const NAME = /^\.?(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d+)-\w+\.eml(?:\.\d+)?$/;

interface MailFile {
  readonly path: string;
  readonly realmId: RealmId;
  /** When the mail was due. */
  readonly at: number;
}

/** The mails of a server without a mail server. They stay when it gets one later. */
export class MailFolder extends OtherFiles {
  constructor(readonly path: string) {
    super();
  }

  override async measure(realmId: RealmId): Promise<FolderSize> {
    let [files, bytes] = [0, 0];
    for (const { path } of await this.mailsOf(realmId)) {
      const found = await stat(path).catch(() => null); // another worker may have deleted it
      files += found ? 1 : 0;
      bytes += found?.size ?? 0;
    }
    return { files, bytes };
  }

  override async delete(realmId: RealmId): Promise<void> {
    for (const { path } of await this.mailsOf(realmId)) await rm(path, { force: true });
  }

  /** Deletes mails that were due before this time, and those of deleted organizations. */
  async deleteOld(before: Instant, deleted: ReadonlySet<RealmId>): Promise<void> {
    for (const { path, realmId, at } of await this.mails())
      if (at < before || deleted.has(realmId)) await rm(path, { force: true });
  }

  private async mailsOf(realmId: RealmId): Promise<readonly MailFile[]> {
    return (await this.mails()).filter((mail) => mail.realmId === realmId);
  }

  private async mails(): Promise<readonly MailFile[]> {
    return (await this.names()).flatMap((name) => {
      const [, day, hour, minute, second, realm] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      const at = Date.parse(`${day}${hour}:${minute}:${second}Z`);
      return [{ path: join(this.path, name), realmId: Number(realm) as RealmId, at }];
    });
  }

  private async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // no mail was sent yet
      throw error;
    }
  }
}
