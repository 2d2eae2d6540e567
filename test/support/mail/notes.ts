import type { MailDraft } from '@annals/mail';
import { MailComposer, addMailTasks } from '@annals/mail';
import type { RealmId } from '@annals/kernel/domain';
import type { TestServer } from '../server/server';

/** Drafts of a kind of mails that only specs know, by the keys of their tasks. */
export class Notes extends MailComposer {
  private readonly drafts = new Map<string, MailDraft>();

  private constructor(
    readonly kind: string,
    private readonly server: TestServer,
  ) {
    super();
  }

  /** Registers the kind at the worker of a server. */
  static at(server: TestServer, kind = 'note'): Notes {
    const notes = new Notes(kind, server);
    server.mailComposers.register(notes);
    return notes;
  }

  /** Adds mails to the outbox. A draft of null is one that nobody wants when it is due. */
  async add(drafts: Readonly<Record<string, MailDraft | null>>, realmId = 1): Promise<void> {
    for (const [key, draft] of Object.entries(drafts)) if (draft) this.drafts.set(key, draft);
    const { kernel, clock } = this.server;
    const tasks = Object.keys(drafts).map((key) => ({ kind: this.kind, key }));
    await addMailTasks(kernel.database.pool, realmId as RealmId, tasks, clock.now());
  }

  override async compose(_realmId: RealmId, key: string): Promise<MailDraft | null> {
    return this.drafts.get(key) ?? null;
  }
}

/** A draft with what a spec is about. */
export const draftOf = (draft: Partial<MailDraft> = {}): MailDraft => ({
  to: 'ann@mail.example.com',
  purpose: 'account',
  language: 'en',
  content: { subject: 'A note', blocks: [{ text: 'Hello!' }] },
  ...draft,
});
