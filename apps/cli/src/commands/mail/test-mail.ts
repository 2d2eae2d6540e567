import { randomUUID } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import type { MailDraft, MailOptions } from '@annals/mail';
import { MailFailure, MailSender, isMailAddress, transportOf } from '@annals/mail';
import { operatorsRealm } from '@annals/onboarding';
import { RealmFacts, ServerAddress } from '@annals/realm';

const draftTo = (to: string): MailDraft => ({
  to,
  purpose: 'account',
  language: 'en',
  content: {
    subject: 'Test of Annals',
    blocks: [{ text: 'This server sends mail. An operator asked for this one with "annals mail test".' }],
  },
});

/**
 * `annals mail test`: sends a mail now, as a worker would. @param url address for clients @returns 1 if the mail server does
 * not take it
 */
export async function testMail(
  kernel: Kernel,
  options: MailOptions,
  { to, url }: { readonly to: string; readonly url: string },
  print: (line: string) => void,
): Promise<number> {
  if (!isMailAddress(to)) throw new Error(`${to} is no email address.`);
  const realmId = await operatorsRealm(kernel);
  if (!realmId) throw new Error('There is no organization yet. "annals setup" creates it.');
  const transport = transportOf(options);
  const sender = new MailSender(kernel, new RealmFacts(kernel), new ServerAddress(url), options, transport);
  const identity = { kind: 'test', key: randomUUID(), at: kernel.clock.now(), bounceToken: '0'.repeat(32) };
  try {
    const answer = await sender.send(realmId, identity, draftTo(to));
    print(answer === null ? `No mail server delivers to ${to}.` : `Sent by ${transport.where}: ${answer}`);
    return answer === null ? 1 : 0;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    print(`Not sent by ${transport.where}: ${error.reason} (${error.trouble})`);
    return 1;
  } finally {
    await transport.close();
  }
}
