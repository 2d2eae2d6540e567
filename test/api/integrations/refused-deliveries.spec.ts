import type { ChannelId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { deliver, goldenDelivery } from '../../support/integrations/deliveries';
import type { Sent } from '../../support/integrations/deliveries';
import { inChannel } from '../../support/requests/notices';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { startWithUsers } from '../../support/server/start-with-users';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let bot: Person;
let channel: ChannelId;
beforeAll(async () => {
  ({ server, owner, member, guest } = await startWithUsers());
  bot = await server.bot(member, { type: 2 });
  channel = await server.channel(owner, { subscribers: [owner, member] });
});
afterAll(() => server.close());

const refused = (code: string, status = 400) => ({ status, body: { result: 'error', code } });
const zapier: Sent = { body: { topic: 'news', content: 'news' } };
const send = (by: Pick<Person, 'key'>, options: Params = { stream: channel }, sent = zapier) =>
  deliver(server, by, 'zapier', sent, options);

describe('the key in the URL', () => {
  it('must be one of an incoming webhook bot', async () => {
    expect(await send({ key: 'x' })).toMatchObject(refused('INVALID_API_KEY', 401));
    expect(await send({ key: 'x'.repeat(32) })).toMatchObject(refused('INVALID_API_KEY', 401));
    const generic = await server.bot(member);
    for (const by of [generic, member, guest, owner])
      expect(await send(by)).toMatchObject(refused('UNAUTHORIZED', 401));
  });

  it('is needed', async () => {
    const url = `${server.url}/api/v1/external/zapier`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(zapier.body) });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
    ]);
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('is no login elsewhere', async () => {
    const answer = await fetch(`${server.url}/api/v1/messages?api_key=${bot.key}`, { method: 'POST' });
    expect(answer.status).toBe(401);
  });

  it('ends with the account, or when the bot gets another key', async () => {
    const leaver = await server.bot(member, { type: 2 });
    granted(await send(leaver));
    const { api_key: key } = granted(await member.post<{ api_key: string }>(`/bots/${leaver.id}/api_key/regenerate`));
    expect(await send(leaver)).toMatchObject(refused('INVALID_API_KEY', 401));
    granted(await send({ key }));
    granted(await member.delete(`/bots/${leaver.id}`));
    expect(await send({ key })).toMatchObject(refused('USER_DEACTIVATED', 401));
  });
});

describe('a delivery', () => {
  it('to an unknown integration is 404', async () => {
    expect(await deliver(server, bot, 'nothing')).toMatchObject(refused('BAD_REQUEST', 404));
    expect(await deliver(server, bot, 'constructor')).toMatchObject(refused('BAD_REQUEST', 404));
  });

  it('is sent with the permissions of the bot and its owner', async () => {
    const secret = await server.channel(owner, { invite_only: true, subscribers: [owner] });
    expect(await send(bot, { stream: secret })).toMatchObject(refused('BAD_REQUEST'));
    expect(await send(bot, { stream: 'nowhere' })).toMatchObject(refused('STREAM_DOES_NOT_EXIST'));
    expect(await send(bot, { stream: ' ' })).toMatchObject(refused('STREAM_DOES_NOT_EXIST'));
    expect(await send(bot, { stream: '999999' })).toMatchObject(refused('STREAM_DOES_NOT_EXIST'));
    expect(await send(bot, { stream: channel, topic: 'two\nlines' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await inChannel(owner, secret)).toEqual([]);
  });

  it('without the header that names its event is refused', async () => {
    const { payload: body } = goldenDelivery('github', 'ping');
    expect(await deliver(server, bot, 'github', { body })).toMatchObject({
      status: 400,
      body: {
        code: 'MISSING_HTTP_EVENT_HEADER',
        header: 'X-GitHub-Event',
        msg: "Missing the HTTP event header 'X-GitHub-Event'",
      },
    });
  });

  it('of another system is refused', async () => {
    const { payload: body } = goldenDelivery('jira', 'issue-created');
    expect(await deliver(server, bot, 'grafana', { body })).toMatchObject({
      status: 400,
      body: {
        code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
        webhook_name: 'Grafana',
        problem: '/title: Expected required property',
        msg: 'Unable to parse request: Did Grafana generate this event?',
      },
    });
  });

  it('without topic or content is refused where its sender writes both', async () => {
    expect(await send(bot, {}, { body: { content: 'x' } })).toMatchObject({ body: { msg: "Topic can't be empty" } });
    expect(await send(bot, {}, { body: { topic: 'x' } })).toMatchObject({ body: { msg: "Content can't be empty" } });
    expect(await send(bot, {}, { body: { topic: 'x', content: ' ' } })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('with too many alerts is refused', async () => {
    const alert = { status: 'firing', annotations: {} };
    const alerts = Array.from({ length: 51 }, (_, n) => ({ ...alert, labels: { instance: `host ${n}` } }));
    expect(await deliver(server, bot, 'alertmanager', { body: { alerts } })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('that is no JSON is refused', async () => {
    for (const body of ['', '{', 'text', '{"a":1}{']) {
      expect(await send(bot, {}, { body })).toMatchObject(refused('INVALID_JSON'));
    }
  });
});

describe('whatever is sent', () => {
  it('is answered with 2xx or 4xx', async () => {
    const names =
      'github gitlab grafana alertmanager jira json pagerduty sentry slack_incoming stripe zapier jenkins'.split(' ');
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const options = fc.record(
      { stream: fc.oneof(text, fc.constant(String(channel))), topic: text },
      { requiredKeys: [] },
    );
    const headers = { 'X-GitHub-Event': 'push', 'X-GitLab-Event': 'Push Hook' };
    const bodies = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), bodies, options, async (name, body, query) => {
        const { status } = await deliver(server, bot, name, { body, headers }, query);
        expect(status === 200 || (status >= 400 && status < 500)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
