import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
beforeAll(async () => ({ server, owner, member, other } = await startWithUsers()));
afterAll(() => server.close());
afterEach(async () => {
  const { linkifiers } = granted(await owner.get<{ linkifiers: { id: number }[] }>('/realm/linkifiers'));
  for (const { id } of linkifiers) granted(await owner.delete(`/realm/filters/${id}`));
});

const PATTERN = '#(?P<id>[0-9]+)';
const templateOf = (host: string) => `https://${host}.example/{id}`;
const addLinkifier = async (host: string, pattern = PATTERN) =>
  granted(await owner.post<{ id: number }>('/realm/filters', { pattern, url_template: templateOf(host) })).id;
const link = (host: string, id: number) => `<a href="https://${host}.example/${id}">#${id}</a>`;
const topicLink = (host: string, id: number) => ({ text: `#${id}`, url: `https://${host}.example/${id}` });
const sent = (content: string, by = member) => idOf(send(by, { to: 'general', content }));
const seen = async (id: number, by = other) => (await messageSeen(by, id))['content'];
const preview = async (content: string, by = member) =>
  granted(await by.post<{ rendered: string }>('/messages/render', { content })).rendered;

describe('linkifiers in messages', () => {
  it('make links as they were when the text was written', async () => {
    const content = 'Fixes #12.';
    const before = await sent(content);
    const linkifier = await addLinkifier('first');
    const first = await sent(content);
    expect(await preview(content)).toBe(`<p>Fixes ${link('first', 12)}.</p>`);
    granted(await owner.patch(`/realm/filters/${linkifier}`, { pattern: PATTERN, url_template: templateOf('second') }));
    const second = await sent(content);
    granted(await owner.delete(`/realm/filters/${linkifier}`));
    const after = await sent(content);
    const plain = `<p>${content}</p>`;
    const shown = [before, first, second, after].map((id) => seen(id));
    const both = [`<p>Fixes ${link('first', 12)}.</p>`, `<p>Fixes ${link('second', 12)}.</p>`];
    expect(await Promise.all(shown)).toEqual([plain, ...both, plain]);
    expect(await preview(content)).toBe(plain);
    granted(await member.patch(`/messages/${first}`, { content: 'Fixes #12 and #13.' }));
    expect(await seen(first)).toBe('<p>Fixes #12 and #13.</p>');
  });

  it('are tried in their order', async () => {
    const [first, second] = [await addLinkifier('first'), await addLinkifier('second', '#(?P<id>1[0-9]+)')];
    expect(await preview('#12')).toBe(`<p>${link('first', 12)}</p>`);
    granted(await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] }));
    expect(await preview('#12 #2')).toBe(`<p>${link('second', 12)} ${link('first', 2)}</p>`);
  });

  it('make links in direct messages, in events, in history and for has:link', async () => {
    await addLinkifier('first');
    const received = await other.receive(() => sendDirect(member, [other.id], { content: 'see #1' }), {
      event_types: ['message'],
      apply_markdown: true,
    });
    const html = `<p>see ${link('first', 1)}</p>`;
    expect(received[0]).toMatchObject({ message: { content: html } });
    const id = (received[0]?.['message'] as { id: number }).id;
    const edited = await other.receive(() => member.patch(`/messages/${id}`, { content: 'see #2' }), 'update_message');
    expect(edited[0]).toMatchObject({
      orig_rendered_content: html,
      rendered_content: `<p>see ${link('first', 2)}</p>`,
    });
    const { message_history } = granted(
      await other.get<{ message_history: { rendered_content: string }[] }>(`/messages/${id}/history`),
    );
    expect(message_history[0]?.rendered_content).toBe(html);
    const asked = { anchor: 'newest', num_before: 10, narrow: [['has', 'link']] };
    const { messages } = granted(await other.get<{ messages: { id: number }[] }>('/messages', asked));
    expect(messages.map((message) => message.id)).toContain(id);
  });
});

describe('topic_links', () => {
  const linksOf = async (id: number) => (await messageSeen(other, id))['topic_links'];
  const inTopic = (topic: string) => idOf(send(member, { to: 'general', topic }));

  it('are by the linkifiers of today, and of bare URLs', async () => {
    const id = await inTopic('#7 on example.com');
    const url = { text: 'example.com', url: 'https://example.com' };
    expect(await linksOf(id)).toEqual([url]);
    const linkifier = await addLinkifier('first');
    expect(await linksOf(id)).toEqual([topicLink('first', 7), url]);
    granted(await owner.patch(`/realm/filters/${linkifier}`, { pattern: PATTERN, url_template: templateOf('second') }));
    expect(await linksOf(id)).toEqual([topicLink('second', 7), url]);
  });

  it('are in message events and in those of a renamed topic', async () => {
    await addLinkifier('first');
    const received = await other.receive(() => inTopic('#8'), 'message');
    expect(received[0]).toMatchObject({ message: { topic_links: [topicLink('first', 8)] } });
    const id = (received[0]?.['message'] as { id: number }).id;
    const renamed = await other.receive(() => owner.patch(`/messages/${id}`, { topic: '#9 or #10' }), 'update_message');
    expect(renamed[0]).toMatchObject({
      subject: '#9 or #10',
      topic_links: [topicLink('first', 9), topicLink('first', 10)],
    });
    const direct = await idOf(sendDirect(member, [other.id]));
    expect(await linksOf(direct)).toEqual([]);
  });

  it('of the past are by the linkifiers of that moment', async () => {
    const id = await inTopic('#11');
    const linkifier = await addLinkifier('first');
    const position = await sent('then');
    granted(await owner.delete(`/realm/filters/${linkifier}`));
    expect(await linksOf(id)).toEqual([]);
    const past = await messageSeen(other, id, { as_of: `p${position}` });
    expect(past['topic_links']).toEqual([topicLink('first', 11)]);
  });
});

describe('links to the organization itself', () => {
  it('are relative, as the address was when they were written', async () => {
    const url = `${server.url}/#narrow/channel/1-general`;
    expect(await seen(await sent(`[here](${url}) and ${url}`))).toBe(
      `<p><a href="#narrow/channel/1-general">here</a> and <a href="#narrow/channel/1-general">${url}</a></p>`,
    );
    expect(await preview(`${server.url}/help`)).toBe(`<p><a href="${server.url}/help">${server.url}/help</a></p>`);
  });
});

describe('default_code_block_language', () => {
  const code = '```\nx\n```';
  const languageOf = (html: unknown) => /data-code-language="([^"]*)"/.exec(String(html))?.[1];
  const choose = (default_code_block_language: string, by = owner) =>
    by.patch('/realm', { default_code_block_language });

  it('is that of code without one, as it was when the text was written', async () => {
    const before = await sent(code);
    const received = await member.receive(() => choose('python'), 'realm');
    expect(received).toMatchObject([{ op: 'update_dict', data: { default_code_block_language: 'python' } }]);
    const after = await sent(code);
    expect(languageOf(await preview(code))).toBe('Python');
    expect(languageOf(await preview('```js\nx\n```'))).toBe('JavaScript');
    granted(await choose(''));
    expect(languageOf(await preview(code))).toBeUndefined();
    expect([languageOf(await seen(before)), languageOf(await seen(after))]).toEqual([undefined, 'Python']);
    expect(await member.register({ fetch_event_types: ['realm'] })).toMatchObject({
      realm_default_code_block_language: '',
    });
  });

  it('is chosen by administrators, among names of languages', async () => {
    expect(await choose('python', member)).toMatchObject({ body: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    for (const wrong of ['a b', '<b>', 'x'.repeat(41)]) expect(await choose(wrong)).toMatchObject({ status: 400 });
  });
});
