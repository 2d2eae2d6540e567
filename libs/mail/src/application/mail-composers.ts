import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { DueLater, MailDraft } from '../domain/mail-draft';

/** Writes the mails of one kind, each when it is due, from what PostgreSQL knows then. */
export abstract class MailComposer {
  /** The kind of its tasks. */
  abstract readonly kind: string;

  /**
   * @param key of the task
   * @returns null when nobody wants the mail any more
   */
  abstract compose(realmId: RealmId, key: string): Promise<MailDraft | DueLater | null>;
}

/** The composers of all contexts. They register themselves in `onModuleInit` of their jobs modules. */
@Injectable()
export class MailComposers {
  private readonly composers = new Map<string, MailComposer>();

  /** @throws Error for a kind that has a composer */
  register(composer: MailComposer): void {
    if (this.composers.has(composer.kind)) throw new Error(`two composers write mails of the kind ${composer.kind}`);
    this.composers.set(composer.kind, composer);
  }

  /** Undefined for a kind of a newer version. */
  of(kind: string): MailComposer | undefined {
    return this.composers.get(kind);
  }
}
