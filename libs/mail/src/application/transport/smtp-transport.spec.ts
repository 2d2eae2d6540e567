import type { Instant, RealmId } from '@annals/kernel/domain';
import { MailServer } from '../../../../../test/support/mail/mail-server';
import type { OutgoingMail } from './mail-transport';
import { tlsOf } from './smtp-session';
import { SmtpTransport } from './smtp-transport';

let server: MailServer;
const transports: SmtpTransport[] = [];
beforeAll(async () => (server = await MailServer.start()));
afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  server.behaves('accepts');
});
afterAll(() => server.stop());

function transportTo(login: { user: string; password: string } | null = null): SmtpTransport {
  const transport = new SmtpTransport({ host: '127.0.0.1', port: server.port, isSecure: false, login });
  transports.push(transport);
  return transport;
}
const mailTo = (to: string): OutgoingMail => ({
  realmId: 1 as RealmId,
  id: 'a'.repeat(32),
  at: 0 as Instant,
  envelope: { from: 'chat@example.com', to },
  raw: Buffer.from('From: chat@example.com\r\nSubject: Hi\r\n\r\n.\r\n..dots\r\nund Größe\r\n'),
});
const troubleOf = async (sending: Promise<string>) => {
  const error = await sending.then(
    () => null,
    (failure: unknown) => failure,
  );
  return error as { readonly trouble: string; readonly reason: string } | null;
};

describe('a mail server', () => {
  it('gets mails as they are, over one connection', async () => {
    const transport = transportTo();
    const before = server.connections;
    for (const to of ['one@example.com', 'two@example.com']) expect(await transport.send(mailTo(to))).toMatch(/^250/);
    expect(server.connections - before).toBe(1);
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([['one@example.com'], ['two@example.com']]);
    expect(server.received[0]?.raw.toString()).toBe(mailTo('').raw.toString());
  });

  it('lets this server in with its password', async () => {
    const login = { user: 'annals', password: 'a pass word' };
    expect(await transportTo(login).send(mailTo('in@example.com'))).toMatch(/^250/);
    expect(server.received.at(-1)?.user).toBe('annals');
    const wrong = await troubleOf(transportTo({ ...login, password: 'wrong' }).send(mailTo('in@example.com')));
    expect(wrong).toMatchObject({ trouble: 'login', reason: expect.stringMatching(/^535/) as string });
  });

  it.each([
    ['refuses', 'refused', /^550 5\.1\.1/],
    ['defers', 'deferred', /^450 4\.2\.0/],
    ['refuses the text', 'refused', /^554 5\.7\.1/],
    ['is full', 'deferred', /^452/],
    ['ends', 'away', /^421|ECONNECTION|ESOCKET/],
    ['breaks the connection', 'away', /^E/],
  ] as const)('that %s', async (behaviour, trouble, reason) => {
    server.behaves(behaviour);
    const transport = transportTo();
    const failure = await troubleOf(transport.send(mailTo('somebody@example.com')));
    expect(failure).toMatchObject({ trouble, reason: expect.stringMatching(reason) as string });
    expect(transport.isAway).toBe(trouble === 'away');
    server.behaves('accepts');
    expect(await transport.send(mailTo('somebody@example.com'))).toMatch(/^250/);
    expect(transport.isAway).toBe(false);
  });

  it('that is slow does not hold up the end of this process', async () => {
    server.behaves('is mute');
    const transport = transportTo();
    const sending = troubleOf(transport.send(mailTo('slow@example.com')));
    await server.reachedText();
    await transport.close();
    expect(await sending).toMatchObject({ trouble: 'away' });
  });

  it('that closed a connection which was kept gets the next mail over another one', async () => {
    const transport = transportTo();
    await transport.send(mailTo('first@example.com'));
    await server.hangUp();
    expect(await transport.send(mailTo('second@example.com'))).toMatch(/^250/);
  });

  it('that is not there is away', async () => {
    const transport = new SmtpTransport({ host: '127.0.0.1', port: 1, isSecure: false, login: null });
    expect(await troubleOf(transport.send(mailTo('nobody@example.com')))).toMatchObject({ trouble: 'away' });
  });

  it('that speaks no TLS gets no credentials over the network', () => {
    const access = { host: 'mail.example.com', port: 587, isSecure: false };
    expect(tlsOf({ ...access, login: { user: 'u', password: 'p' } })).toEqual({
      ...{ secure: false, requireTLS: true, ignoreTLS: false },
      tls: { rejectUnauthorized: true },
    });
    expect(tlsOf({ ...access, login: null })).toMatchObject({ requireTLS: false, tls: { rejectUnauthorized: false } });
    expect(tlsOf({ ...access, isSecure: true, login: null })).toMatchObject({
      secure: true,
      tls: { rejectUnauthorized: true },
    });
  });
});
