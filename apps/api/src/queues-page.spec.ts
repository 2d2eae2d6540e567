import type { QueueReport } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { PAGE_HEADERS, queuesPage } from './queues-page';

const quiet: QueueReport = {
  name: 'reminders',
  counts: { waiting: 0, active: 0, delayed: 3, failed: 0 },
  oldestDueMs: 0,
  failed: [],
};

describe('the page of the queues', () => {
  it('has a row for each queue, and says when nothing is due', () => {
    const page = queuesPage([quiet, { ...quiet, name: 'push', oldestDueMs: 61_001 }], 20);
    expect(page).toContain(
      '<th scope="row">reminders</th><td class="n">0</td><td class="n">0</td><td class="n">3</td><td class="n">0</td><td class="n">nothing</td>',
    );
    expect(page).toMatch(/<th scope="row">push<\/th>.*<td class="n">62 s<\/td>/);
    expect(page).not.toContain('Given up:');
    expect(page).not.toContain('is away');
  });

  it('says what nobody can tell while the store is away', () => {
    const away: QueueReport = { name: 'push', counts: null, oldestDueMs: null, failed: null };
    const page = queuesPage([away, { ...away, name: 'reminders', oldestDueMs: 5_000 }], 20);
    expect(page).toContain('The store of the jobs is away.');
    expect(page).toMatch(/<th scope="row">push<\/th>(<td class="n">\?<\/td>){5}/);
    expect(page).toMatch(/<th scope="row">reminders<\/th>(<td class="n">\?<\/td>){4}<td class="n">5 s<\/td>/);
  });

  it('says what was given up beside jobs, and where that is listed', () => {
    const givenUp = (count: number | null) => ({
      ...quiet,
      name: '<push>',
      givenUp: { count, listedBy: 'annals push list' },
    });
    expect(queuesPage([givenUp(3)], 20)).toContain(
      '&#60;push&#62;: 3 given up; <code>annals push list</code> says why.',
    );
    for (const none of [quiet, givenUp(0), givenUp(null)]) expect(queuesPage([none], 20)).not.toContain('given up;');
  });

  it('lists the jobs that were given up, as nothing but text', () => {
    const job = {
      id: '<b>',
      data: { realmId: 1, kind: `"'&` },
      attempts: 5,
      reason: '<script>alert(1)</script>\n    at here',
      failedAt: Date.UTC(2026, 0, 2) as Instant,
    };
    const counts = { waiting: 0, active: 0, delayed: 0, failed: 7 };
    const page = queuesPage([{ ...quiet, counts, failed: [job] }], 1);
    expect(page).toContain('<h2>Given up: reminders</h2>');
    expect(page).toContain('The last 1 of 7;');
    expect(page).toContain('<code>&#60;b&#62;</code>');
    expect(page).toContain('{&#34;realmId&#34;:1,&#34;kind&#34;:&#34;\\&#34;&#39;&#38;&#34;}');
    expect(page).toContain('<td>2026-01-02T00:00:00.000Z</td><td class="n">5</td>');
    expect(page).toContain('<td>&#60;script&#62;alert(1)&#60;/script&#62;</td>');
    expect(page).not.toMatch(/<script|at here/);
  });

  it('names no other server, and may run and fetch nothing', () => {
    expect(queuesPage([quiet], 20)).not.toMatch(/https?:|src=|href=/);
    expect(PAGE_HEADERS['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
  });
});
