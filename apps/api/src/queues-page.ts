import { createHash } from 'node:crypto';
import type { FailedJob, QueueReport } from '@annals/kernel';

/** Seconds until a browser that shows the page asks for it again. */
const REFRESH = 10;

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:0 0 2rem}
th,td{padding:.25rem 1rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}
.n{text-align:right}
.bad{color:#a00;font-weight:bold}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}`;

/** The page runs nothing, fetches nothing, is shown in no frame and kept nowhere. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * The operators' page of the job queues, a whole document.
 *
 * @param limit the largest number of failed jobs in a report, for each queue
 */
export function queuesPage(reports: readonly QueueReport[], limit: number): string {
  const isAway = reports.some(({ counts }) => counts === null);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${REFRESH}"><title>Queues of Annals</title><style>${STYLE}</style></head><body>
<h1>Queues</h1>
${isAway ? '<p class="bad">The store of jobs cannot be reached. Due work is found by looking, up to a second later.</p>' : ''}
<table><thead><tr><th>Queue</th><th class="n">Waiting</th><th class="n">Active</th><th class="n">Delayed</th>
<th class="n">Failed</th><th class="n">Oldest due</th></tr></thead><tbody>
${reports.map(queueRow).join('\n')}
</tbody></table>
${reports.map(givenUpBesideJobs).join('\n')}
${reports.map((report) => givenUp(report, limit)).join('\n')}
<p>A job only wakes a worker. The log knows what is due and what was done. <code>annals jobs retry &lt;queue&gt; &lt;job&gt;</code>
runs a failed job again, and <code>--all</code> all of a queue.</p>
</body></html>
`;
}

function queueRow({ name, counts, oldestDueMs }: QueueReport): string {
  const { waiting, active, delayed, failed } = counts ?? {};
  const cells = [waiting, active, delayed, failed].map((n) => `<td class="n">${n ?? '?'}</td>`).join('');
  const oldest = oldestDueMs === null ? '?' : oldestDueMs === 0 ? 'nothing' : `${Math.ceil(oldestDueMs / 1_000)} s`;
  return `<tr><th scope="row">${text(name)}</th>${cells}<td class="n">${oldest}</td></tr>`;
}

function givenUpBesideJobs({ name, givenUp }: QueueReport): string {
  if (!givenUp?.count) return '';
  const { count, listedBy } = givenUp;
  return `<p class="bad">${text(name)}: ${count} failed; <code>${text(listedBy)}</code> shows the reasons.</p>`;
}

function givenUp({ name, counts, failed }: QueueReport, limit: number): string {
  if (!failed?.length) return '';
  const all = counts?.failed ?? failed.length;
  return `<h2>Failed jobs: ${text(name)}</h2>
${all > failed.length ? `<p>The last ${limit} of ${all}; <code>annals jobs list ${text(name)}</code> lists all of them.</p>` : ''}
<table><thead><tr><th>Job</th><th>About</th><th>Failed</th><th class="n">Attempts</th><th>Reason</th></tr></thead><tbody>
${failed.map(jobRow).join('\n')}
</tbody></table>`;
}

function jobRow({ id, data, failedAt, attempts, reason }: FailedJob): string {
  const [why = ''] = reason.split('\n');
  return `<tr><td><code>${text(id)}</code></td><td><code>${text(JSON.stringify(data))}</code></td>
<td>${new Date(failedAt).toISOString()}</td><td class="n">${attempts}</td><td>${text(why)}</td></tr>`;
}

const text = (raw: string): string => raw.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
