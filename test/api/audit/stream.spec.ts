import type { RealmId } from '@annals/kernel/domain';
import type { TrailEntry } from '../../../libs/audit/src/read/trail/trail-entry';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('GET /audit/events/stream', () => {
  let users: ServerWithUsers;
  beforeAll(async () => void (users = await startWithUsers()));
  afterAll(() => users.server.close());

  const stream = (query = '', accept = '*/*', { email, key }: Person = users.owner, signal?: AbortSignal) =>
    fetch(`${users.owner.url}/api/v1/audit/events/stream${query}`, {
      headers: { authorization: `Basic ${btoa(`${email}:${key}`)}`, accept },
      ...(signal ? { signal } : {}),
    });
  const head = async () => (await users.server.kernel.events.heads()).get(1 as RealmId) ?? 0;

  it('has all events as lines of JSON, oldest first, and ends with the head at its start', async () => {
    await users.server.settled();
    const before = await head();
    const answer = await stream();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="annals-events-${before}.ndjson"`);
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TrailEntry);
    expect(lines.at(-1)).toEqual({ head: before });
    expect(lines.slice(0, -1).map(({ position }) => position)).toEqual(Array.from({ length: before }, (_, n) => n + 1));
    const page = granted(
      await users.owner.get<{ events: TrailEntry[] }>('/audit/events', { order: 'oldest', limit: 5 }),
    );
    expect(lines.slice(0, 5)).toEqual(page.events);
  });

  it('has the same filters', async () => {
    const answer = await stream(`?actor_id=${users.owner.id}&types=${encodeURIComponent('["users.AccountCreated"]')}`);
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TrailEntry);
    expect(new Set(lines.slice(0, -1).map(({ type, actor }) => `${type} ${String(actor?.user_id)}`))).toEqual(
      new Set([`users.AccountCreated ${users.owner.id}`]),
    );
    expect((await stream('?subject=nothing')).status).toBe(400);
    expect((await stream('', '*/*', users.member)).status).toBe(403);
  });

  it('writes CSV, with structures as JSON', async () => {
    const answer = await stream('?types=%5B%22realm.Created%22%5D', 'text/csv');
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toBe(
      'position,id,type,version,at,actor_id,sentence,subjects,data,words,words_state,changes,request',
    );
    expect(lines[1]).toMatch(/^1,[0-9a-f-]+\/1\/1,realm\.Created,1,20/);
    expect(lines[1]).toContain('"[{""kind"":""realm"",""id"":0}');
    expect(lines.slice(2)).toEqual([expect.stringMatching(/^head,\d+$/), '']);
  });

  it('is recorded before it begins, with results that are not known', async () => {
    users.server.clock.advance(120_000);
    await (await stream('?to=p5')).text();
    const { events } = granted(
      await users.owner.get<{ events: TrailEntry[] }>('/audit/events', { types: ['audit.Viewed'], limit: 1 }),
    );
    expect(events[0]?.data).toEqual({
      endpoint: 'GET /audit/events/stream',
      parameters: { to: 'p5' },
      results: null,
      words: false,
    });
  });

  it('ends when its reader disconnects, and holds no connection of the database meanwhile', async () => {
    for (let n = 0; n < 3; n++)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          users.member.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x'.repeat(2_000) }),
        ),
      );
    const gone = new AbortController();
    const answers = await Promise.all(Array.from({ length: 6 }, () => stream('', '*/*', users.owner, gone.signal)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    // Nobody reads, and everything else continues.
    granted(await users.owner.get('/audit/events', { limit: 1_000 }));
    gone.abort();
    granted(await users.owner.get('/audit/events', { limit: 1 }));
  });
});
