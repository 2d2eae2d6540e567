import { Readable } from 'node:stream';
import type { ChannelId } from '@annals/kernel/domain';
import { receiveMail } from '../../../apps/cli/src/commands/mail/receive-mail';
import { ChannelMail } from '../../support/mail/channel-mail';
import { written } from '../../support/mail/lmtp';
import { Cli } from '../../support/processes/cli';
import { fetched } from '../../support/requests/uploads';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let stranger: Person;
let channel: ChannelId;
let address: string;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_LMTP_PORT: '0', ANNALS_MAIL_PATTERN: '%s@in.example.com' } });
  ann = await server.person({ name: 'Ann' });
  stranger = await server.person({ name: 'Stranger' });
  channel = await server.channel(server.owner, { name: 'plans', subscribers: [server.owner, ann], invite_only: true });
  address = await mails.addressOf(ann, channel);
});
// Mails of the next case are in another minute.
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const mails = new ChannelMail(() => server);
const MIXED = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'];
const part = (type: string, content: string, more: readonly string[] = []) =>
  ['--x', `Content-Type: ${type}`, ...more, '', content].join('\n');
const file = (name: string) => part('text/plain', 'in the file', [`Content-Disposition: attachment; filename=${name}`]);
const linkOf = (content = '') => /\]\(\/(user_uploads\/[^)]+)\)$/.exec(content)?.[1] ?? '';
const statusOf = async (person: Person, path: string) => (await fetched(person, `/${path}`)).status;

describe('a file of a mail', () => {
  it('can be read by those who read its message, and by nobody else', async () => {
    const text = [part('text/plain', 'See below.'), file('plan.txt'), '--x--'].join('\n');
    expect(await mails.send(address, { head: MIXED, text })).toBe('250');
    const path = linkOf((await mails.last()).content);
    expect(path).toMatch(/plan\.txt$/);
    const statuses = await Promise.all([ann, server.owner, stranger].map((person) => statusOf(person, path)));
    expect(statuses).toEqual([200, 200, 403]);
    // Another mail that names it gives nobody access.
    const open = await server.channel(stranger, { name: 'open', subscribers: [stranger] });
    const own = await mails.addressOf(stranger, open);
    expect(await mails.send(own, { text: `[x](/${path})` })).toBe('250');
    expect(await statusOf(stranger, path)).toBe(403);
  });

  it('is linked below a text that is too long and therefore cut', async () => {
    const text = [part('text/plain', 'word '.repeat(3_000)), file('long.txt'), '--x--'].join('\n');
    expect(await mails.send(address, { head: MIXED, text })).toBe('250');
    const { content = '' } = await mails.last();
    expect(content).toMatch(/\[message truncated\]\n\n\[long\.txt\]\(.*\)$/);
    expect([...content]).toHaveLength(10_000);
  });
});

describe('a mail', () => {
  it.each([
    ['NUL', { subject: 'N\0L', text: 'N\0L' }, 'NL'],
    [
      'half a character',
      { head: ['Content-Type: text/html'], text: '<b>x&#xd83d;</b>', subject: '=?utf-16be?B?2D0AeA==?=' },
      '**x\ufffd**',
    ],
    ['deep HTML', { head: ['Content-Type: text/html'], text: `${'<div><b>'.repeat(20_000)}x` }, '**x**'],
    ['deep lists', { head: ['Content-Type: text/html'], text: `${'<ul><li>'.repeat(20_000)}x` }, / *- x$/],
  ])('with %s is stored', async (_, mail, content) => {
    expect(await mails.send(address, mail)).toBe('250');
    expect((await mails.last()).content).toEqual(
      typeof content === 'string' ? content : expect.stringMatching(content),
    );
  });

  it.each([['too many parts', [...Array.from({ length: 300 }, () => part('text/plain', '')), '--x--'].join('\n')]])(
    'with %s is refused for good',
    async (_, text) => {
      expect(await mails.send(address, { head: MIXED, text })).toMatch(/^554 5\.6\.0/);
    },
  );

  it('is refused before it is sent if it comes back to an address that this server did not use', async () => {
    expect(await mails.send(`bounces+1.${'0'.repeat(32)}@in.example.com`, {})).toMatch(/^550 5\.1\.1/);
    expect(await mails.send(`bounces+999999999.${'0'.repeat(32)}@in.example.com`, {})).toMatch(/^550 5\.1\.1/);
  });
});

describe('annals receive-mail', () => {
  const envWith = (port: number) => ({
    ...{ ANNALS_LMTP_PORT: String(port), ANNALS_LMTP_HOST: '127.0.0.1' },
    DATABASE_URL: 'postgres://none:none@127.0.0.1:1/none',
  });
  const mail = (head: readonly string[] = []) => written({ head, text: 'By a program' });

  it('hands a mail from standard input to a worker', async () => {
    const run = new Cli(envWith(server.lmtpPort), 'receive-mail', '--to', address, '--from', 'ann@example.org');
    expect(await run.end(mail())).toMatchObject({ out: '', code: 0 });
    expect((await mails.last()).content).toBe('By a program');
    const refused = new Cli({ ...envWith(server.lmtpPort), RECIPIENT: 'nobody@in.example.com' }, 'receive-mail');
    expect(await refused.end(mail())).toMatchObject({ out: expect.stringMatching(/^550 5\.1\.1/) as string, code: 67 });
  });

  const unreadable = [...Array.from({ length: 300 }, () => part('text/plain', '')), '--x--'].join('\n');
  it.each([
    [64, 'an address that is none', 'Give the address', { to: () => 'nobody', raw: mail() }],
    [
      65,
      'a mail that cannot be read',
      '554 5.6.0',
      { to: () => address, raw: written({ head: MIXED, text: unreadable }) },
    ],
    [75, 'a worker that is away', 'connect', { to: () => address, raw: mail(), port: 1 }],
    [77, 'a mail that may not be posted', '550 5.7.1', { to: () => address, raw: mail(['X-Loop: x@example.org']) }],
  ])('ends with %i for %s', async (code, _, says, { to, raw, port = 0 }: Delivery) => {
    const env = envWith(port === 0 ? server.lmtpPort : port);
    const lines: string[] = [];
    const input = Readable.from([Buffer.from(raw)]);
    expect(await receiveMail(env, { to: to(), from: '', input }, (line) => lines.push(line))).toBe(code);
    expect(lines.join('\n')).toContain(says);
  });
});

interface Delivery {
  readonly to: () => string;
  readonly raw: string;
  readonly port?: number;
}
