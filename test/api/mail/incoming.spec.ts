import { MailTokens, ReplyAddresses } from '@annals/email-notifications';
import type { ChannelId, RealmId, TopicId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { MailOptions, readBouncing } from '@annals/mail';
import { Notes, draftOf } from '../../support/mail/notes';
import { ChannelMail, withOptions } from '../../support/mail/channel-mail';
import { deliver, written } from '../../support/mail/lmtp';
import type { WrittenMail } from '../../support/mail/lmtp';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let channel: ChannelId;
beforeAll(async () => {
  server = await startTestServer({
    env: { ANNALS_LMTP_PORT: '0', ANNALS_MAIL_PATTERN: '%s@in.example.com', ANNALS_MAX_UPLOAD_MIB: '1' },
  });
  ann = await server.person({ name: 'Ann' });
  channel = await server.channel(server.owner, { name: 'Design & more', subscribers: [server.owner, ann] });
});
// Mails of the next case are in another minute.
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const msgOf = ({ body }: { readonly body: object }) => (body as { msg?: string }).msg;

const mails = new ChannelMail(() => server);
const addressOf = (person: Person, senderId?: number, id: ChannelId = channel) => mails.addressOf(person, id, senderId);
const send = (to: string, mail: WrittenMail) => mails.send(to, mail);
const last = () => mails.last();

describe('the address of a channel', () => {
  it('has the name of the channel, and is another one for each user and sender', async () => {
    const bot = await server.bot(ann);
    const addresses = [await addressOf(ann), await addressOf(server.owner), await addressOf(ann, bot.id)];
    for (const address of addresses)
      expect(address).toMatch(/^desig[a-z-]*\.c1(\.[0-9a-z]+){3}\.[a-z2-7]{16}@in\.example\.com$/);
    expect(new Set(addresses).size).toBe(3);
    expect(await addressOf(ann)).toBe(addresses[0]);
  });

  it('makes a mail a message of the gateway, and names its sender only on request', async () => {
    const address = await addressOf(ann);
    expect(await send(address, { subject: 'Re: AW: The plan', text: 'All *fine*.\n\n-- \nBob\nACME' })).toBe('250');
    expect(await last()).toEqual({ topic: 'The plan', content: 'All *fine*.', from: 'Email Gateway' });
    const from = 'Bob `@**all**` <bob@example.org>';
    expect(await send(withOptions(address, '+show-sender+include-footer'), { from, text: 'Hi\n\n-- \nBob' })).toBe(
      '250',
    );
    const { content } = await last();
    expect(content).toMatch(/^\*\*From:\*\* `Bob ´@\*\*all\*\*´ <bob@example\.org>`\n\nHi/);
    expect(content).toMatch(/-- \nBob$/);
  });

  it('works in capitals, and with the options separated by dots', async () => {
    const address = await addressOf(ann);
    expect(await send(address.toUpperCase(), { subject: '' })).toBe('250');
    expect(await last()).toMatchObject({ topic: 'Email with no subject', content: 'Hi!' });
    const text = 'Yes\n\nOn Monday, Ann Example <ann@example.org> wrote:\n> Really?';
    expect(await send(address, { text })).toBe('250');
    expect((await last()).content).toBe('Yes');
    expect(await send(withOptions(address, '.include-quotes'), { text })).toBe('250');
    expect((await last()).content).toContain('> Really?');
  });

  it('lets the sender be the user or one of their bots', async () => {
    const bot = await server.bot(ann, { name: 'Reporter' });
    expect(await send(await addressOf(ann, bot.id), {})).toBe('250');
    expect((await last()).from).toBe('Reporter');
    expect(await send(await addressOf(ann, ann.id), {})).toBe('250');
    expect((await last()).from).toBe('Ann');
    expect(msgOf(await ann.get(`/streams/${channel}/email_address`, { sender_id: server.owner.id }))).toBe(
      'Invalid sender ID',
    );
  });

  it('ends with the rights of its user, and does not open a channel to anybody else', async () => {
    const bob = await server.person({ name: 'Bob' });
    const secret = await server.channel(bob, { name: 'secret', invite_only: true, subscribers: [bob] });
    const address = await addressOf(bob, undefined, secret);
    granted(await server.owner.delete(`/users/${bob.id}`));
    expect(await send(address, {})).toMatch(/^550 5\.1\.6/);
    expect(msgOf(await ann.get(`/streams/${secret}/email_address`))).toBe('Invalid channel ID');
    const [, token = ''] = /\.(c1.*)@/.exec(await addressOf(ann)) ?? [];
    const forged = token.replace(/^c1\.[0-9a-z]+/, `c1.${secret.toString(36)}`);
    expect(await send(`${forged}@in.example.com`, {})).toMatch(/^550 5\.1\.1/);
    const left = await addressOf(ann, undefined, await server.channel(ann, { name: 'left', invite_only: true }));
    granted(await ann.delete('/users/me/subscriptions', { subscriptions: ['left'] }));
    expect(await send(left, {})).toMatch(/^550 5\.7\.1/);
  });

  it('takes nothing for an archived channel', async () => {
    const old = await server.channel(server.owner, { name: 'old', subscribers: [server.owner] });
    const address = await addressOf(server.owner, undefined, old);
    granted(await server.owner.delete(`/streams/${old}`));
    expect(await send(address, {})).toMatch(/^550 5\.7\.1/);
  });
});

/** An address for answers of Ann to a topic of the channel, and Ann's own address. */
async function reply(): Promise<{ address: string; own: string }> {
  const { kernel } = server;
  const options = new MailOptions('chat@in.example.com', null, '', '%s@in.example.com');
  const { pool } = kernel.database;
  granted(await server.owner.post('/messages', { type: 'channel', to: channel, topic: 'asked', content: 'Who?' }));
  const topics = await pool.query<{ id: TopicId }>(`SELECT topic_id AS id FROM view.topics WHERE name = 'asked'`);
  const users = await pool.query<{ own: string }>('SELECT delivery_email AS own FROM view.users WHERE user_id = $1', [
    ann.id,
  ]);
  const addresses = new ReplyAddresses(kernel, options, new MailTokens(kernel));
  const address = await addresses.of(1 as RealmId, ann.id, { topicId: topics.rows[0]?.id ?? (0 as TopicId) });
  return { address: address ?? '', own: users.rows[0]?.own ?? '' };
}

describe('the address in a mail about messages', () => {
  it('makes an answer a message of its user, without what it quotes', async () => {
    const { address, own } = await reply();
    const text = 'Me!\n\nOn Monday, Owner wrote:\n> Who?';
    expect(await send(address, { from: `Ann <${own.toUpperCase()}>`, text })).toBe('250');
    expect(await last()).toEqual({ topic: 'asked', content: 'Me!', from: 'Ann' });
  });

  it('takes nothing of anybody else, of programs, without a text, or after some days', async () => {
    const { address, own } = await reply();
    expect(await send(address, { from: 'eve@example.org' })).toMatch(/^550 5\.7\.1 Only the person/);
    expect(await send(address, { from: `eve@example.org, ${own}` })).toMatch(/^550 5\.7\.1 Only the person/);
    expect(await send(address, { from: own, head: ['Auto-Submitted: auto-generated'] })).toMatch(
      /^550 5\.7\.1 Automatic/,
    );
    expect(await send(address, { from: own, text: '> Who?' })).toMatch(/^550 5\.6\.0/);
    server.clock.advance(8 * DAY_MS);
    expect(await send(address, { from: own })).toMatch(/^550 5\.1\.1/);
  });
});

describe('a mail', () => {
  it('is posted once to each address, however often it is delivered', async () => {
    const addresses = [await addressOf(ann), await addressOf(server.owner)];
    const raw = written({ subject: 'once', messageId: '<once@example.org>' });
    for (let n = 0; n < 2; n++) expect(await deliver(server.lmtpPort, addresses, raw)).toEqual(['250', '250']);
    expect((await mails.newest(4)).filter(({ subject }) => subject === 'once')).toHaveLength(2);
  });

  it('of HTML becomes Markdown, and its files become uploaded files', async () => {
    const parts = [
      ...[
        '--x',
        'Content-Type: text/html',
        '',
        '<h1>News</h1><p>All <b>good</b><img src="http://spy.example.com/1.png"></p>',
      ],
      ...[
        '<script>alert(1)</script>',
        '--x',
        'Content-Type: text/plain',
        'Content-Disposition: attachment; filename="a [1].txt"',
      ],
      ...['', 'the file', '--x', 'Content-Type: text/plain', 'Content-Disposition: attachment; filename=big.txt', ''],
      ...['x'.repeat(1_048_577).replace(/.{1000}/g, '$&\n'), '--x--'],
    ];
    const head = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'];
    expect(await send(await addressOf(ann), { head, text: parts.join('\n') })).toBe('250');
    const { content = '' } = await last();
    expect(content).toMatch(
      /^# News\n\nAll \*\*good\*\*\n\n\[a 1 \.txt\]\(\/user_uploads\/1\/\S+\)\n\*`big\.txt` is too large to be stored\.\*$/,
    );
    expect(content).not.toMatch(/script|spy/);
  });

  it.each([
    ['an answer of a program', ['Auto-Submitted: auto-replied']],
    ['a mail in bulk', ['Precedence: bulk']],
    ['a mail that went round', ['X-Loop: chat@example.com']],
    ['a mail of this server', ['X-Annals-Mail: notification']],
  ])('is refused if it is %s', async (_, head) => {
    expect(await send(await addressOf(ann), { head })).toMatch(/^550 5\.7\.1 Automatic mails/);
  });

  it('is refused if it has the Message-ID of this server, but reports of programs are welcome in channels', async () => {
    expect(await send(await addressOf(ann), { messageId: '<annals.0123@example.com>' })).toMatch(/^550 5\.7\.1/);
    expect(await send(await addressOf(ann), { head: ['Auto-Submitted: auto-generated'] })).toBe('250');
  });

  it.each(['nobody@in.example.com', 'ann@example.org', 'c1.1.1.0.aaaaaaaaaaaaaaaa@in.example.com'])(
    'to %s is refused before it is sent',
    async (to) => expect(await send(to, {})).toMatch(/^550 5\.1\.1/),
  );

  it('is tried again later if too many come in a minute, however the address is written', async () => {
    const address = await addressOf(ann);
    const spelled = [
      address,
      address.toUpperCase(),
      withOptions(address, '+show-sender'),
      address.replace(/^.*?\./, ''),
    ];
    const answers: string[] = [];
    for (let n = 0; n < 31; n++) answers.push(await send(spelled[n % 4] ?? '', { from: `p${n}@example.org` }));
    expect([answers.slice(0, 30).every((one) => one === '250'), answers[30]?.slice(0, 9)]).toEqual([true, '450 4.7.1']);
  });
});

describe('a mail that comes back', () => {
  it('ends notifications to its address, and answers nobody', async () => {
    const notes = Notes.at(server);
    await notes.add({ bounced: draftOf({ userId: ann.id, purpose: 'notification' }) });
    await server.mailsSent();
    const sql = `SELECT bounce_token AS token FROM mail_tasks WHERE key = 'bounced'`;
    const { rows } = await server.kernel.database.pool.query<{ token: string }>(sql);
    const head = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
      'Auto-Submitted: auto-replied',
    ];
    const report = [
      'Reporting-MTA: dns; mx.example.com',
      '',
      'Final-Recipient: rfc822; ann@example.org',
      'Action: failed',
      'Status: 5.1.1',
    ];
    const text = [
      '--x',
      'Content-Type: text/plain',
      '',
      'Sorry',
      '--x',
      'Content-Type: message/delivery-status',
      '',
      ...report,
      '',
      '--x--',
    ];
    const to = `bounces+1.${rows[0]?.token}@in.example.com`;
    expect(await send(to, { from: 'MAILER-DAEMON@example.org', head, text: text.join('\n') })).toBe('250');
    const events = await server.kernel.events.stream(1 as RealmId, `mail-address-${ann.id}`);
    expect(events.map(({ type }) => type)).toEqual(['mail.AddressBounced']);
    const bouncing = () => readBouncing(server.kernel.database.pool, 1 as RealmId, [ann.id]);
    expect([...(await bouncing())]).toEqual([ann.id]);
    const { address, own } = await reply();
    expect(await send(address, { from: own, text: 'I am here.' })).toBe('250');
    expect([...(await bouncing())]).toEqual([]);
  });
});
