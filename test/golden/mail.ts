import { systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { AddressBounces } from '@annals/mail';
import { Notes, draftOf } from '../support/mail/notes';
import { written } from '../support/mail/lmtp';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

/** A mail to a person comes back, and a later one arrives. */
export async function mailsComeBack(server: TestServer): Promise<void> {
  const reader = await server.person({ name: 'Mia Mailbox' });
  const bounces = new AddressBounces(server.kernel);
  await Notes.at(server).add({ one: draftOf({ userId: reader.id }) });
  await server.mailsSent();
  const { rows } = await server.kernel.database.pool.query<{ token: string }>(
    `SELECT bounce_token AS token FROM mail_tasks WHERE kind = 'note'`,
  );
  await bounces.cameBack(1 as RealmId, { token: rows[0]?.token ?? '', status: '5.1.1' });
  await server.kernel.work.run(systemActor(1 as RealmId), (work) => bounces.confirm(work, reader.id));
}

/** Mails become messages: of a stranger to a channel, whose address somebody has. */
export async function mailsArrive(server: TestServer): Promise<void> {
  const { owner } = server;
  const channel = await server.channel(owner, { name: 'mailbox' });
  const { email } = granted(await owner.get<{ email: string }>(`/streams/${channel}/email_address`));
  await server.receiveMail(email, written({ subject: 'An offer', text: 'Ten tons of tin.' }));
}
