import { request } from 'node:http';
import { text as read } from 'node:stream/consumers';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { SignJWT } from 'jose';
import { Once } from '../../../libs/sign-in/src/application/single-sign-on/once';
import { BATCHING_MS, unsubscribePath } from '../../support/mail/missed';
import type { SentMail } from '../../support/mail/outbox';
import { outboxOf } from '../../support/mail/outbox';
import { Browser } from '../../support/server/browser';
import { SERVER_ENV } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { inPast, thisMoment } from '../../support/server/past';
import { changesIn } from '../../support/separation/changes-in';
import { WORDS, twinsOf } from '../../support/separation/history';
import type { Told, Twin } from '../../support/separation/twin';
import { reads, take } from '../../support/separation/walk';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const issuer = (word: string) => ({
  algorithm: 'HS256',
  key: `the key of ${word}`.padEnd(40, '.'),
  organizations: [word],
});

let file: SignOnTestFile;
let server: TestServer;
let ours: Twin;
let theirs: Twin;
beforeAll(async () => {
  file = await SignOnTestFile.of({ jwt: Object.fromEntries(WORDS.map((word) => [word, issuer(word)])) });
  server = await startTestServer({ env: { ...SERVER_ENV, ...file.env, ANNALS_MAIL_PATTERN: '%s@in.example.com' } });
  [ours, theirs] = await twinsOf(server);
});
afterAll(async () => {
  await server.close();
  await file.drop();
});

interface Line {
  readonly path?: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Sends a request as it is, with the key of a twin's owner. */
async function sent({ path = '/api/v1/users/me', headers }: Line, { authorization }: Twin, by: Twin): Promise<Told> {
  const { hostname, port } = new URL(server.url);
  const own = authorization.call(by, 'owner');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { hostname, port, path, setHost: false, headers: { ...own, ...headers }, agent: false };
    request(options, resolve).on('error', reject).end();
  });
  return { status: answer.statusCode ?? 0, text: JSON.stringify(answer.headers) + (await read(answer)), body: {} };
}
const asks = (line: Line, by: Twin) => sent(line, by, by);

describe('a host name', () => {
  it.each<[string, (host: string) => string]>([
    ['in capital letters', (host) => host.toUpperCase()],
    ['with a port', (host) => `${host}:8443`],
    ['with a dot at its end', (host) => `${host}.`],
    ['with a dot and a port', (host) => `${host}.:8443`],
  ])('means the same organization %s', async (_, spelled) => {
    const headers = { host: spelled(theirs.host) };
    expect((await asks({ headers }, ours)).status).toBe(401);
    const own = await asks({ headers }, theirs);
    expect([own.status, theirs.isIn(own.text)]).toEqual([200, true]);
  });

  const tricks = (one: string, other: string): Line[] => [
    { path: `http://${other}/api/v1/users/me`, headers: { host: one } },
    { path: `//${other}/api/v1/users/me`, headers: { host: one } },
    { path: `/api/v1/users/me?host=${other}&realm=${other}`, headers: { host: one } },
    { headers: { host: one, 'x-forwarded-host': `${one}, ${other}` } },
    { headers: { host: one, 'x-forwarded-host': `${other}, ${one}` } },
    { headers: { host: one, 'x-forwarded-host': [one, other] } },
    { headers: { host: one, forwarded: `host=${other}`, 'x-host': other, 'x-original-host': other } },
    { headers: { host: `${one}@${other}` } },
    { headers: { host: `${one}#${other}` } },
    { headers: { host: `${other}.${one}` } },
  ];

  it('is one, whatever else a request says about it', async () => {
    for (const line of [...tricks(ours.host, theirs.host), ...tricks(theirs.host, ours.host)]) {
      const [mine, yours] = [await asks(line, ours), await asks(line, theirs)];
      const granted = [mine, yours].filter(({ status }) => status === 200).length;
      const seen = [theirs.isIn(mine.text), ours.isIn(yours.text)];
      expect({ line, seen, isOneAtMost: granted <= 1 }).toEqual({ line, seen: [false, false], isOneAtMost: true });
    }
  });
});

/** What a token opens, at an address. */
type Use = (host: string) => Promise<Told>;
const opens =
  (path: string): Use =>
  (host) =>
    ours.ask('nobody', 'GET', path, { host });

async function secretOf(kind: string): Promise<string> {
  const { rows } = await server.kernel.database.pool.query<{ value: Buffer }>(
    'SELECT value FROM secrets WHERE realm_id = $1 AND kind = $2 ORDER BY length(id) DESC, id DESC LIMIT 1',
    [ours.id, kind],
  );
  if (!rows[0]) throw new Error(`there is no ${kind}`);
  return rows[0].value.toString();
}

/** The newest mail to Ann with a way to end such mails. */
async function missed(): Promise<SentMail> {
  await server.missedMailsMade();
  server.clock.advance(BATCHING_MS);
  await server.missedMailsMade();
  const mails = await outboxOf(server);
  const found = mails.findLast(
    ({ to, header }) => to.includes(`ann@${ours.word}`) && header('List-Unsubscribe') !== null,
  );
  if (!found) throw new Error('nobody has missed anything');
  return found;
}

const jwt = async (twin: Twin, email: string) =>
  new SignJWT({ email, exp: Math.floor(server.clock.now() / 1000) + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(issuer(twin.word).key));

/** The page that asks whether to log in. The browser of the twin has sent the token of another site. */
async function confirmation(): Promise<Use> {
  const token = await jwt(ours, `ann@${ours.word}.example.com`);
  const page = await ours.ask('browser', 'POST', '/accounts/login/jwt/', { form: { token } });
  const [, waiting = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? [];
  const form = { token: waiting, csrf_token: ours.names['form'] };
  return (host) => {
    const headers = { origin: `http://${host}` };
    return ours.ask('browser', 'POST', '/accounts/login/jwt/confirm', { host, form, headers });
  };
}

describe('a token of an organization', () => {
  it.each<[string, () => Promise<Use> | Use]>([
    ['of a link to join', () => opens(new URL(ours.names['link'] ?? '').pathname)],
    ['of an invitation', async () => opens(`/join/${await secretOf('invitation')}`)],
    ['to choose another password', () => opens(`/accounts/password/reset/${ours.names['password-reset']}`)],
    ['to confirm an email', () => opens(`/accounts/confirm_new_email/${ours.names['email-change']}`)],
    ['of a link to a file', async () => opens(await temporaryLink())],
    ['to end mails', async () => opens(unsubscribePath(await missed()))],
    [
      'of another site that logs people in',
      async () => {
        const form = { token: await jwt(ours, `ann@${ours.word}.example.com`) };
        return (host) => ours.ask('nobody', 'POST', '/api/v1/jwt/fetch_api_key', { host, form });
      },
    ],
    ['that confirms a login', confirmation],
  ])('%s is worth nothing at the address of another one', async (_, made) => {
    const use = await made();
    const changed = await changesIn(theirs, async () => {
      const there = await use(theirs.host);
      expect([there.status >= 400, ours.isIn(there.text)]).toEqual([true, false]);
    });
    expect(changed).toEqual({});
    expect((await use(ours.host)).status).toBeLessThan(400);
  });

  const temporaryLink = async () => {
    const path = (ours.names['upload'] ?? '').replace('/api/v1', '');
    return String((await ours.did('owner', 'GET', path))['url']);
  };

  it('names an account for a phone at its own address only', async () => {
    const otp = '0'.repeat(64);
    const form = { token: await jwt(ours, `ann@${ours.word}.example.com`), mobile_flow_otp: otp };
    const page = await ours.ask('nobody', 'POST', '/accounts/login/jwt/', { form });
    expect(theirs.isIn(page.text)).toBe(false);
  });

  it('of a login under way is found in its organization only', async () => {
    const once = server.apis[0]?.app.get(Once, { strict: false });
    await once?.put(ours.id, 'flow', 'cookie', { kind: 'oidc' }, 60_000);
    expect(await once?.take(theirs.id, 'flow', 'cookie')).toBeUndefined();
    expect(await once?.take(ours.id, 'flow', 'cookie')).toEqual({ kind: 'oidc' });
  });
});

describe('an address for mails', () => {
  const answer = (from: string, body: string) =>
    [`From: ${from}`, 'Subject: Re', `Message-ID: <${body.length}@example.org>`, '', body].join('\r\n');
  const inOurs = async () => JSON.stringify(await ours.did('ann', 'GET', '/messages', NEWEST));
  const NEWEST = { anchor: 'newest', num_before: 50, num_after: 0 };

  it('takes answers for its organization, from its person only', async () => {
    const to = (await missed()).replyTo ?? '';
    const changed = await changesIn(theirs, async () => {
      const foreign = server.receiveMail(to, answer(`ann@${theirs.word}.example.com`, 'from outside'));
      await expect(foreign).rejects.toThrow();
      await server.receiveMail(to, answer(`ann@${ours.word}.example.com`, 'an answer by mail'));
    });
    const texts = await inOurs();
    expect([texts.includes('an answer by mail'), texts.includes('from outside')]).toEqual([true, false]);
    expect(changed).toEqual({});
  });

  it('of mails that come back has a token of its organization', async () => {
    const { rows } = await server.kernel.database.pool.query<{ token: string }>(
      'SELECT bounce_token AS token FROM mail_tasks WHERE realm_id = $1 AND done_at IS NOT NULL LIMIT 1',
      [ours.id],
    );
    const changed = await changesIn(theirs, async () => {
      const foreign = server.receiveMail(`bounces+${theirs.id}.${rows[0]?.token}@in.example.com`, REPORT);
      await expect(foreign).rejects.toThrow('No such address');
    });
    expect(changed).toEqual({});
  });
});

const REPORT = [
  'From: postmaster@example.org',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
  '',
  ...['--x', 'Content-Type: text/plain', '', 'Nobody of that name', ''],
  ...['--x', 'Content-Type: message/delivery-status', '', 'Action: failed', 'Status: 5.1.1', '', '--x--', ''],
].join('\r\n');

describe('a browser that is logged in', () => {
  it('is sent to the login at the address of another organization', async () => {
    const elsewhere = ours.browser.named(theirs.host);
    const page = await elsewhere.open('/account', { staysHere: true });
    expect([page.status, page.headers.get('location')?.split('?')[0]]).toEqual([303, '/login']);
    expect((await new Browser(server.url, ours.host).open('/account')).path).toContain('/login');
    expect((await ours.browser.open('/account')).status).toBe(200);
  });
});

describe('the past of an organization', () => {
  it('has nothing of another one, and takes none of its keys and cookies', async () => {
    const then = await thisMoment(server, ours.id);
    const shown: string[] = [];
    let own = 0;
    const walk = async (url: string) => {
      for (const step of reads(server)) {
        const answer = await take(step, ours, { url });
        if (ours.isIn(answer.text)) own += 1;
        if (theirs.isIn(answer.text)) shown.push(`${step.name}: ${answer.text}`);
        const foreign = await take(step, theirs, { url, names: ours });
        const isGranted = foreign.status < 400 && foreign.status !== 303 && step.endpoint.audience !== 'public';
        if (isGranted) shown.push(`${step.name} for another one: ${foreign.status} ${foreign.text}`);
      }
    };
    expect(await changesIn(theirs, () => inPast(server, then, walk))).toEqual({});
    expect([shown, own > 30]).toEqual([[], true]);
  });
});
