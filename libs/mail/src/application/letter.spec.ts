import type { Instant } from '@annals/kernel/domain';
import { sentMail } from '../../../../test/support/mail/outbox';
import type { MailDraft } from '../domain/mail-draft';
import { mailIdOf, messageIdOf, rawMail } from './letter';

const name = { uuid: '0001', kind: 'note', key: '7' };
const from = { name: 'Ours', address: 'chat@example.com' };
const rendered = { subject: 'Hello', text: 'Plain text', html: '<p>HTML</p>' };
const letter = { name, from, date: Date.UTC(2026, 0, 1) as Instant, rendered };
const draft: MailDraft = {
  to: 'ann@example.org',
  purpose: 'account',
  language: 'de',
  content: { subject: 'Hello', blocks: [] },
};
const read = async (changes: Partial<MailDraft> = {}) => sentMail(await rawMail({ ...draft, ...changes }, letter));

describe('a mail', () => {
  it('has both parts, the names, the date of the clock, and an id that each attempt repeats', async () => {
    const raw = await rawMail({ ...draft, toName: 'Ann Ünique' }, letter);
    const mail = await sentMail(raw);
    expect(mail).toMatchObject({
      to: '"Ann Ünique" <ann@example.org>',
      from: '"Ours" <chat@example.com>',
      subject: 'Hello',
    });
    expect([mail.text.trim(), mail.html.trim()]).toEqual(['Plain text', '<p>HTML</p>']);
    expect(mail.messageId).toBe(messageIdOf(name, from.address));
    expect(mail.messageId).toBe(`<annals.${mailIdOf(name)}@example.com>`);
    expect(mail.header('Date')).toBe('Thu, 01 Jan 2026 00:00:00 +0000');
    expect(mail.header('Content-Language')).toBe('de');
  });

  it('tells programs not to answer, and only notifications are bulk', async () => {
    const account = await read();
    const notification = await read({ purpose: 'notification' });
    for (const mail of [account, notification]) {
      expect(mail.header('Auto-Submitted')).toBe('auto-generated');
      expect(mail.header('X-Auto-Response-Suppress')).toBe('All');
    }
    expect([account.header('Precedence'), notification.header('Precedence')]).toEqual([null, 'bulk']);
    expect(account.header('List-Unsubscribe')).toBeNull();
  });

  it('can be unsubscribed with one click', async () => {
    const mail = await read({ unsubscribe: { url: 'https://chat.example.com/out?t=a b', label: 'No more' } });
    expect(mail.header('List-Unsubscribe')).toBe('<https://chat.example.com/out?t=a%20b>');
    expect(mail.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  it('belongs to a thread, and is answered elsewhere', async () => {
    const thread = ['<annals.1@example.com>', '<annals.2@example.com>'];
    const mail = await read({ thread, replyTo: 'reply+abc@example.com', fromName: 'Bob (Ours)' });
    expect(mail.header('In-Reply-To')).toBe(thread[1]);
    expect(mail.header('References')).toBe(thread.join(' '));
    expect([mail.replyTo, mail.from]).toEqual(['reply+abc@example.com', '"Bob (Ours)" <chat@example.com>']);
  });

  it.each([
    ['a name', { toName: 'Ann\r\nBcc: all@example.com' }],
    ['a sender', { fromName: 'Ours\nBcc: all@example.com' }],
    ['a sender with an address', { fromName: 'x" <all@example.com>, "y' }],
    ['a thread', { thread: ['<a@b>\r\nBcc: all@example.com'] }],
  ])('gets no header from %s', async (_, changes) => {
    const mail = await read(changes);
    expect(mail.header('Bcc')).toBeNull();
    expect([mail.to.match(/<|$/g), mail.from.endsWith(' <chat@example.com>')]).toEqual([expect.anything(), true]);
  });

  it.each([
    'ann@example.org\r\nBcc: all@example.com',
    'ann@example.org, all@example.com',
    'Ann <ann@example.org>',
    'ann',
    'ann@example.org> SIZE=1',
  ])('is not written to %j', async (to) => {
    await expect(read({ to })).rejects.toThrow('an address that is none');
  });
});
