import { Routes } from '@annals/web';
import { granted } from '../../support/server/caller';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** What only the first organization knows. Both have the same ids of users, channels and messages. */
const SECRET = 'zebrafinch';
/** Endpoints whose answers come when something happens. */
const WAITING = /\/events(\/stream)?$/;

let server: TestServer;
let other: OtherOrganization;
beforeAll(async () => {
  server = await startTestServer({ env: SERVER_ENV });
  other = await anotherOrganization(server, 'other');
  const { owner } = server;
  granted(await owner.patch('/realm', { name: `The ${SECRET}`, description: SECRET }));
  for (const [by, word] of [
    [owner, SECRET],
    [other.owner, 'sparrow'],
  ] as const) {
    granted(
      await by.post('/users', { email: `${word}@example.com`, password: 'a long password', full_name: `Al ${word}` }),
    );
    granted(await by.post('/channels/create', { name: word, subscribers: [1] }));
    granted(await by.post('/user_groups/create', { name: word, description: word, members: [1] }));
    granted(await by.post('/messages', { type: 'channel', to: 'general', topic: word, content: word }));
    granted(await by.post('/saved_snippets', { title: word, content: word }));
    granted(await by.post('/drafts', { drafts: [{ type: 'private', to: [1], topic: '', content: word }] }));
    granted(await by.post('/users/me/alert_words', { alert_words: [word] }));
    granted(await by.post('/users/me/status', { status_text: word }));
  }
});
afterAll(() => server.close());

const endpoints = () => server.apis[0]?.app.get(Routes).endpoints() ?? [];
const filled = (path: string) => path.replace(/[:*]\w+/g, '1');
const url = (path: string) => `${server.url}${filled(path)}`;

async function asked(method: string, path: string, headers: Record<string, string>) {
  const answer = await fetch(url(path), { method, headers, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
  return { status: answer.status, text: JSON.stringify([...answer.headers]) + (await answer.text()) };
}

const basic = (email: string, key: string) => ({ authorization: `Basic ${btoa(`${email}:${key}`)}` });

describe('two organizations with the same ids', () => {
  it('refuse the keys of each other at every endpoint', async () => {
    const { email, key } = server.owner;
    const headers = { ...basic(email, key), 'x-forwarded-host': other.host };
    const closed = endpoints().filter(({ audience, page }) => page === undefined && audience !== 'public');
    expect(closed.length).toBeGreaterThan(100);
    const admitted: string[] = [];
    for (const { method, path } of closed) {
      const { status } = await asked(method, path, headers);
      if (status < 400) admitted.push(`${method} ${path} ${status}`);
    }
    expect(admitted).toEqual([]);
  });

  it('show nothing of each other at any endpoint that reads', async () => {
    const reading = endpoints().filter(({ method, path }) => method === 'GET' && !WAITING.test(path));
    expect(reading.length).toBeGreaterThan(50);
    const shown: string[] = [];
    for (const { method, path } of reading) {
      const answer = await other.owner.fetched(method, filled(path));
      if (answer.includes(SECRET)) shown.push(`${method} ${path}`);
    }
    expect(shown).toEqual([]);
    const { text } = await asked('GET', '/api/v1/users', basic(server.owner.email, server.owner.key));
    expect(text).toContain(SECRET);
  });
});
