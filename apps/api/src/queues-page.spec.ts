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
  it('has a row for each queue, and shows when nothing is due', () => {
    const page = queuesPage([quiet, { ...quiet, name: 'push', oldestDueMs: 61_001 }], 20);
    expect(page).toContain(
      '<th scope="row">reminders</th><td class="n">0</td><td class="n">0</td><td class="n">3</td><td class="n">0</td><td class="n">nothing</td>',
    );
    expect(page).toMatch(/<th scope="row">push<\/th>.*<td class="n">62 s<\/td>/);
    expect(page).not.toContain('Failed jobs:');
    expect(page).not.toContain('cannot be reached');
  });

  it('shows question marks for what is unknown while the store is unavailable', () => {
    const away: QueueReport = { name: 'push', counts: null, oldestDueMs: null, failed: null };
    const page = queuesPage([away, { ...away, name: 'reminders', oldestDueMs: 5_000 }], 20);
    expect(page).toContain('The store of jobs cannot be reached.');
    expect(page).toMatch(/<th scope="row">push<\/th>(<td class="n">\?<\/td>){5}/);
    expect(page).toMatch(/<th scope="row">reminders<\/th>(<td class="n">\?<\/td>){4}<td class="n">5 s<\/td>/);
  });

  it('shows how many tasks besides jobs failed, and which command lists them', () => {
    const givenUp = (count: number | null) => ({
      ...quiet,
      name: '<push>',
      givenUp: { count, listedBy: 'annals push list' },
    });
    expect(queuesPage([givenUp(3)], 20)).toContain(
      '&#60;push&#62;: 3 failed; <code>annals push list</code> shows the reasons.',
    );
    for (const none of [quiet, givenUp(0), givenUp(null)]) expect(queuesPage([none], 20)).not.toContain('failed;');
  });

  it('lists failed jobs, with all content escaped', () => {
    const job = {
      id: '<b>',
      data: { realmId: 1, kind: `"'&` },
      attempts: 5,
      reason: '<script>alert(1)</script>\n    at here',
      failedAt: Date.UTC(2026, 0, 2) as Instant,
    };
    const counts = { waiting: 0, active: 0, delayed: 0, failed: 7 };
    const page = queuesPage([{ ...quiet, counts, failed: [job] }], 1);
    expect(page).toContain('<h2>Failed jobs: reminders</h2>');
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
