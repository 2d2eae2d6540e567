import { createServer } from 'node:http';
import { reportFailed, reportReady, whenLauncherEnds } from '../../../libs/embedded/src/child-protocol';

/** Answers every request with facts for a spec, and refuses those with another login than its own, for the reason of the spec. */
function serve(): void {
  const { HOST, PORT, DATABASE_URL, REDIS_URL, ANNALS_DATA_DIR, ANNALS_RATE_LIMITS, FAKE_LOGIN, FAKE_REFUSAL } =
    process.env;
  const facts = { pid: process.pid, DATABASE_URL, REDIS_URL, ANNALS_DATA_DIR, ANNALS_RATE_LIMITS };
  const isRefused = (login: string) => FAKE_LOGIN !== undefined && login !== `Basic ${btoa(FAKE_LOGIN)}`;
  const server = createServer(({ headers: { authorization } }, response) => {
    response.statusCode = authorization !== undefined && isRefused(authorization) ? 401 : 200;
    response.end(JSON.stringify(response.statusCode === 401 ? { code: FAKE_REFUSAL ?? 'INVALID_API_KEY' } : facts));
  });
  const close = () => server.close().closeAllConnections();
  process.once('SIGTERM', close);
  whenLauncherEnds(close);
  server.once('close', () => process.exit());
  server.listen(Number(PORT), HOST, () => reportReady(`http://${HOST}:${PORT}`));
}

async function refuse(): Promise<void> {
  await reportFailed('The uploads cannot be written.');
  process.exit(1);
}

if (process.env['FAKE_API'] === 'fails') void refuse();
else serve();
