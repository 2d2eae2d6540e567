import { DigestSweep, DueMails, EmailNotifier, RecipientWalk } from '@annals/email-notifications';
import { Presences } from '../../../libs/presence/src/application/presences';
import { ping } from '../requests/presence';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';
import type { SentMail } from './outbox';
import { outboxOf } from './outbox';

/** The batching period of users who have not chosen another one, in ms. */
export const BATCHING_MS = 120_000;

/** All mails to a user that are due now, or were before. */
export async function mailsTo(server: TestServer, person: Person): Promise<readonly SentMail[]> {
  await server.missedMailsMade();
  return (await outboxOf(server)).filter(({ to }) => to.includes(person.email));
}

/** The same once the batching period of everything so far is over. */
export async function laterMailsTo(server: TestServer, person: Person): Promise<readonly SentMail[]> {
  // Who missed the messages is looked for before the time moves.
  await server.missedMailsMade();
  server.clock.advance(BATCHING_MS);
  return mailsTo(server, person);
}

/** A user is active now, and this is stored. */
export async function isActive(server: TestServer, person: Person): Promise<void> {
  granted(await ping(person));
  for (const { app } of server.apis) await app.get(Presences).write();
}

/** The path of the link in a mail that ends such mails. */
export function unsubscribePath(mail: SentMail | undefined): string {
  const url = /<([^>]+)>/.exec(mail?.header('List-Unsubscribe') ?? '')?.[1];
  if (url === undefined) throw new Error('the mail has no link that ends such mails');
  return new URL(url).pathname;
}

/** Begins the digests that are due now, which the worker does every minute. */
export const digestsBegun = (server: TestServer): Promise<void> => server.running.get(DigestSweep).sweep();

/** Another worker for mails about messages, which does nothing by itself. */
export const anotherNotifier = ({ kernel, running }: TestServer): EmailNotifier =>
  new EmailNotifier(kernel, running.get(RecipientWalk), running.get(DueMails));
