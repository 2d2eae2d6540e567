import type { RealmId } from '@annals/kernel/domain';
import { limitOrganization } from '@annals/realm';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const LOGIN = '/accounts/login/sso/';
const HERE = { header: 'X-Remote-User', networks: ['127.0.0.0/8', '::1'], email_domain: 'example.com' };

describe('a login that a proxy has made', () => {
  let file: SignOnTestFile;
  let server: TestServer;
  let ann: Person;
  beforeAll(async () => {
    const more = { full_name_header: 'X-Remote-Name', auto_signup: true };
    file = await SignOnTestFile.of({ trusted_header: { proxy: { ...HERE, ...more } } });
    server = await startTestServer({ env: file.env });
    ann = await server.person();
  });
  afterAll(async () => {
    await server.close();
    await file.drop();
  });
  const visit = (headers: Record<string, string>, path = LOGIN) => new Browser(server.url).open(path, { headers });

  it('logs the person of the header in', async () => {
    const start = await visit({ 'x-remote-user': ann.email }, '/accounts/login/start/sso/?next=/account');
    expect([start.status, start.path]).toEqual([200, '/account']);
    const [name = ''] = ann.email.split('@');
    for (const written of [name, `${name}@EXAMPLE.com`])
      expect((await visit({ 'x-remote-user': written })).text).toContain(ann.email);
  });

  it('takes no address of another domain, which somebody may have chosen as their user name', async () => {
    granted(await server.owner.patch(`/users/${ann.id}`, { new_email: 'ann@elsewhere.example.org' }));
    for (const user of ['ann@elsewhere.example.org', 'ann@sub.example.com', 'ann@example.com@example.com']) {
      const { status, words } = await visit({ 'x-remote-user': user });
      expect([user, status, words]).toEqual([user, 401, expect.stringContaining('no email address that can be used')]);
    }
    granted(await server.owner.patch(`/users/${ann.id}`, { new_email: ann.email }));
  });

  it('opens an account for somebody who may join, without a question', async () => {
    granted(await server.owner.patch('/realm', { invite_required: false }));
    const joined = await visit({ 'x-remote-user': 'newcomer', 'x-remote-name': 'New Comer' });
    expect(joined.text).toContain('newcomer@example.com');
    // Codes are for passwords, and a password is chosen by a mail.
    expect(joined.words).toContain('You log in without a password.');
    expect([joined.text, joined.text]).toEqual([
      expect.stringContaining('href="/accounts/password/reset"'),
      expect.not.stringContaining('name="old_password"'),
    ]);
    const asked = await visit({ 'x-remote-user': 'nameless' });
    expect(asked.forms).toHaveLength(1);
  });

  it('asks somebody without a name also which groups of channels they want', async () => {
    const { id, name } = await server.namedChannel(server.owner);
    const group = { group_name: 'Design', description: 'For artists', stream_names: [name] };
    granted(await server.owner.post('/default_stream_groups/create', group));
    const browser = new Browser(server.url);
    const asked = await browser.open(LOGIN, { headers: { 'x-remote-user': 'artist' } });
    expect(asked.words).toContain('For artists');
    const wrong = await browser.submit(asked, { full_name: 'An Artist', default_stream_group_99: 'true' });
    expect([wrong.status, wrong.words]).toEqual([400, expect.stringContaining('is not offered to you any more')]);
    expect((await browser.submit(wrong, { full_name: 'An Artist', default_stream_group_1: 'true' })).path).toBe(
      '/account',
    );
    const { subscribers } = granted(
      await server.owner.get<{ subscribers: readonly number[] }>(`/streams/${id}/members`),
    );
    expect(subscribers).toHaveLength(2);
  });

  it('opens none while the log is full, and logs in who has one', async () => {
    const realmId = 1 as RealmId;
    await limitOrganization(server.kernel, realmId, { logMib: 0 });
    const refused = await visit({ 'x-remote-user': 'late', 'x-remote-name': 'Late Comer' });
    expect([refused.status, refused.words]).toEqual([403, expect.stringContaining('reached its limit')]);
    const inPolish = await visit({ 'x-remote-user': 'late', 'x-remote-name': 'L', 'accept-language': 'pl' });
    expect(inPolish.words).toContain('Historia tej organizacji osiągnęła swój limit 0 MiB.');
    expect((await visit({ 'x-remote-user': ann.email })).text).toContain(ann.email);
    await limitOrganization(server.kernel, realmId, { logMib: null });
  });

  it('asks the reader of a link of another site, and goes on from a login that began here', async () => {
    const headers = { 'x-remote-user': ann.email, 'sec-fetch-site': 'cross-site' };
    const browser = new Browser(server.url);
    const pad = 'a'.repeat(64);
    for (const path of [LOGIN, '/accounts/login/start/sso/']) {
      const asked = await browser.open(`${path}?mobile_flow_otp=${pad}`, { headers, staysHere: path === LOGIN });
      expect([asked.status, asked.words]).toEqual([200, expect.stringContaining(`log you in as ${ann.email}`)]);
      expect(asked.text).toContain('href="/accounts/login/start/sso/?mobile_flow_otp=');
    }
    expect([browser.cookies.has('annals_session'), browser.cookies.has('annals_proxy_login')]).toEqual([false, false]);
    await browser.open('/accounts/login/start/sso/?next=/account/two-factors', { staysHere: true });
    // The proxy may send the browser to a login elsewhere, and back.
    const back = await browser.open(`${LOGIN}?next=/login&mobile_flow_otp=${pad}`, { headers, staysHere: true });
    expect(back.headers.get('location')).toBe('/account/two-factors');
    expect((await browser.open(LOGIN, { headers, staysHere: true })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['an empty one', { 'x-remote-user': ' ' }],
    ['two people', { 'x-remote-user': 'owner@example.com, ann@example.com' }],
    ['no address', { 'x-remote-user': 'owner@' }],
  ])('is refused with %s', async (_, headers) => {
    const { status } = await visit(headers);
    expect(status).toBe(401);
  });

  it('means nothing at other paths', async () => {
    const answer = await fetch(`${server.url}/api/v1/users/me`, { headers: { 'x-remote-user': ann.email } });
    expect(answer.status).toBe(401);
  });
});

describe('a header that somebody else sent', () => {
  it('is refused, whatever addresses the request names', async () => {
    const file = await SignOnTestFile.of({ trusted_header: { proxy: { ...HERE, networks: ['10.1.2.3'] } } });
    const server = await startTestServer({ env: { ...file.env, ANNALS_TRUSTED_PROXIES: '1' } });
    try {
      const headers = { 'x-remote-user': server.owner.email, 'x-forwarded-for': '10.1.2.3' };
      const refused = await new Browser(server.url).open(LOGIN, { headers });
      expect(refused).toMatchObject({ status: 401, words: expect.stringContaining('did not log you in') as string });
    } finally {
      await server.close();
      await file.drop();
    }
  });
});
