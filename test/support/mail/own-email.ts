import { MailedTokens } from '@annals/users';
import type { RealmId } from '@annals/kernel/domain';
import { Browser } from '../server/browser';
import type { Caller } from '../server/caller';
import { granted } from '../server/caller';
import type { TestServer } from '../server/server';

/** Gives a person another email, by their own wish, and follows the link of the mail to it. */
export async function changeOwnEmail(server: TestServer, by: Caller, id: number, email: string): Promise<void> {
  granted(await by.patch('/settings', { email }));
  await confirmOwnEmail(server, id);
}

/** Follows the link to the email that a person wants. */
export async function confirmOwnEmail(server: TestServer, id: number): Promise<void> {
  const token = await new MailedTokens(server.kernel).of(1 as RealmId, 'email-change', id as never);
  const page = await new Browser(server.url).fill(`/accounts/confirm_new_email/${token}`, {});
  if (page.status !== 200) throw new Error(`not confirmed: ${page.words}`);
}
