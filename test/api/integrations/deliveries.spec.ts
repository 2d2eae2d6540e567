import type { ChannelId } from '@annals/kernel/domain';
import { deliver, goldenDelivery } from '../../support/integrations/deliveries';
import type { Sent } from '../../support/integrations/deliveries';
import { inChannel, read, texts } from '../../support/requests/notices';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { startWithUsers } from '../../support/server/start-with-users';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let bot: Person;
let channel: { readonly id: ChannelId; readonly name: string };
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  bot = await server.bot(member, { name: 'Reporter', type: 2 });
  channel = await server.namedChannel(owner, { name: 'build reports', subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const zapier = (content: string, topic = 'news'): Sent => ({ body: { topic, content } });
const refused = (code: string, status = 400) => ({ status, body: { result: 'error', code } });
/** Topics and texts that a delivery adds to the channel. */
async function posted(integration: string, sent: Sent, options: Params = {}): Promise<[string, string][]> {
  const before = (await inChannel(owner, channel.id)).at(-1)?.id ?? 0;
  granted(await deliver(server, bot, integration, sent, { stream: channel.name, ...options }));
  const after = (await inChannel(owner, channel.id)).filter(({ id }) => id > before);
  return after.map(({ subject, content }) => [subject, content]);
}
const direct = async (by: Person) => texts(await read(by, [{ operator: 'dm', operand: [bot.id] }]));

describe('POST /external/{integration}', () => {
  it('posts what the table of integrations makes of the payload, as the bot', async () => {
    const { headers = {}, payload, messages } = goldenDelivery('github', 'issue-opened');
    granted(await deliver(server, bot, 'github', { body: payload, headers }, { stream: channel.name }));
    const [message] = (await inChannel(member, channel.id)).slice(-1);
    expect(message).toMatchObject({
      sender_id: bot.id,
      client: 'ZulipGitHubWebhook',
      subject: 'Hello-World / issue #1 Spelling error in the README file',
      content: messages[0]?.lines.join('\n'),
    });
  });

  it('names the channel by its id or name, or nowhere: then the owner of the bot gets a direct message', async () => {
    expect(await posted('zapier', zapier('by name'))).toEqual([['news', 'by name']]);
    expect(await posted('zapier', zapier('by id'), { stream: channel.id })).toEqual([['news', 'by id']]);
    granted(await deliver(server, bot, 'zapier', zapier('to the owner')));
    expect(await direct(member)).toEqual(['to the owner']);
    expect(await direct(other)).toEqual([]);
  });

  it('takes the topic of the URL instead of its own, and cuts long topics', async () => {
    expect(await posted('zapier', zapier('a'), { topic: ' all news ' })).toEqual([['all news', 'a']]);
    const [[topic] = ['']] = await posted('zapier', zapier('b', `${'x'.repeat(80)}\n`));
    expect(topic).toBe(`${'x'.repeat(57)}...`);
  });

  it('cuts long messages', async () => {
    const [[, content] = ['', '']] = await posted('json', { body: { text: 'x'.repeat(20_000) } });
    expect(content).toMatch(/\[message truncated\]$/);
    expect(content).toHaveLength(10_000);
  });

  it('decodes channel and topic twice for senders that escape them twice', async () => {
    const sent = { body: goldenDelivery('jira', 'issue-deleted').payload };
    const options = { stream: encodeURIComponent(channel.name), topic: '100%25 done%' };
    expect(await posted('jira', sent, options)).toEqual([['100%25 done%', expect.stringContaining('deleted')]]);
    expect(await posted('jira', sent, { ...options, topic: 'all%20issues' })).toMatchObject([
      ['all issues', /deleted/],
    ]);
  });

  it('posts several messages of one delivery', async () => {
    const { payload } = goldenDelivery('alertmanager', 'grouped-by-topic-and-status');
    const topics = (await posted('alertmanager', { body: payload })).map(([topic]) => topic);
    expect(topics).toEqual(['web-1:9100', 'web-1:9100', 'web-2:9100']);
  });

  it('uses the options of the integration', async () => {
    const push = { body: goldenDelivery('github', 'push-own-commit').payload, headers: { 'X-GitHub-Event': 'push' } };
    expect(await posted('github', push, { branches: 'release, stable' })).toEqual([]);
    expect(await posted('github', push, { branches: 'release, main' })).toHaveLength(1);
    const { repository, ...rest } = push.body;
    const hidden = { ...push, body: { ...rest, repository: { ...(repository as object), private: true } } };
    expect(await posted('github', hidden, { ignore_private_repositories: true })).toEqual([]);
    expect(await posted('github', hidden)).toHaveLength(1);
  });

  it('reports options that it does not know', async () => {
    const { body } = await deliver(server, bot, 'zapier', zapier('x'), { stream: channel.name, colour: 'red' });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['colour'] });
  });
});

describe('the choice of events', () => {
  const opened = goldenDelivery('gitlab', 'merge-request-opened');
  const sent = { body: opened.payload, headers: opened.headers ?? {} };
  it.each<[Params, number]>([
    [{ only_events: ['Merge Request*'] }, 1],
    [{ only_events: ['Push Hook', 'Issue Hook*'] }, 0],
    [{ exclude_events: ['* open'] }, 0],
    [{ exclude_events: ['* close'] }, 1],
  ])('with %j posts %i', async (options, count) => expect(await posted('gitlab', sent, options)).toHaveLength(count));

  it('must be JSON', async () => {
    const answer = await deliver(server, bot, 'gitlab', sent, { only_events: 'push' });
    expect(answer).toMatchObject(refused('BAD_REQUEST'));
  });

  it('answers an event that no integration knows with a success that says so, and posts nothing', async () => {
    const unknown = { body: { zen: 'x' }, headers: { 'X-GitHub-Event': 'marketplace_purchase' } };
    expect(await posted('github', unknown)).toEqual([]);
    expect((await deliver(server, bot, 'github', unknown)).body).toEqual({
      result: 'success',
      msg: "The 'marketplace_purchase:???' event isn't currently supported by the GitHub webhook; ignoring",
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'GitHub',
      event_type: 'marketplace_purchase:???',
    });
  });
});

describe('a delivery that its sender repeats', () => {
  it.each([
    ['github', 'issue-comment'],
    ['jira', 'issue-created'],
    ['pagerduty', 'triggered'],
    ['stripe', 'charge-succeeded'],
  ])('of %s is posted once in each place', async (integration, name) => {
    const { payload, headers = {} } = goldenDelivery(integration, name);
    const sent = { body: payload, headers };
    expect(await posted(integration, sent, { topic: 'once' })).toHaveLength(1);
    expect(await posted(integration, sent, { topic: 'once' })).toEqual([]);
    expect(await posted(integration, sent, { topic: 'twice' })).toHaveLength(1);
  });

  it('is posted once, however many arrive at the same time', async () => {
    const sent = { ...zapier(''), body: goldenDelivery('stripe', 'customer-created').payload };
    const options = { stream: channel.name, topic: 'at once' };
    await Promise.all([1, 2, 3].map(() => deliver(server, bot, 'stripe', sent, options)));
    expect(await inChannel(owner, channel.id, 'at once')).toHaveLength(1);
  });

  it('is posted again if the sender gives no id', async () => {
    expect(await posted('zapier', zapier('same'))).toHaveLength(1);
    expect(await posted('zapier', zapier('same'))).toHaveLength(1);
  });
});

describe('integrations with answers of their own', () => {
  it('zapier tells whose key it is', async () => {
    const answer = granted(await deliver(server, bot, 'zapier', { body: { type: 'auth' } }));
    expect(answer).toMatchObject({ full_name: 'Reporter', email: bot.email, id: bot.id });
  });

  it('slack_incoming answers like Slack, and takes forms', async () => {
    const form = {
      body: new URLSearchParams({ payload: '{"channel":"#ops","text":"*hi*"}' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(await posted('slack_incoming', form)).toEqual([['ops', '**hi**']]);
    expect((await deliver(server, bot, 'slack_incoming', form)).body).toMatchObject({ result: 'success', ok: true });
    const missing = { body: 'text=hi', headers: form.headers };
    const error = "Missing 'payload' argument";
    expect(await deliver(server, bot, 'slack_incoming', missing)).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', msg: error, error, ok: false },
    });
  });
});

describe('POST /register', () => {
  it('lists the integrations with their event types and options', async () => {
    const key = 'realm_incoming_webhook_bots';
    const { [key]: offered } = await other.register({ fetch_event_types: [key] });
    const list = offered as { readonly name: string }[];
    expect(list.map(({ name }) => name)).toEqual(
      'alertmanager github gitlab grafana jenkins jira json pagerduty sentry slack_incoming stripe zapier'.split(' '),
    );
    expect(list).toContainEqual({
      name: 'gitlab',
      display_name: 'GitLab',
      all_event_types: expect.arrayContaining(['Push Hook', 'Merge Request Hook open']) as unknown,
      config_options: [],
      url_options: [
        { key: 'branches', label: 'Branches, separated by commas', input_type: 'text' },
        {
          key: 'use_merge_request_title',
          label: 'Show the titles of merge requests in topics',
          input_type: 'checkbox',
        },
      ],
    });
    expect(list).toContainEqual(expect.objectContaining({ name: 'json', all_event_types: null, url_options: [] }));
  });
});
