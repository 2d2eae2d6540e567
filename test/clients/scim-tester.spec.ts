import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';
import { directoryOf } from '../support/provisioning/scim-caller';

/** A Python with the packages `scim2-tester==0.5.2` and `scim2-client[httpx2]`. */
const PYTHON = process.env['ANNALS_TEST_PYTHON'] ?? 'python3';
/** How many checks of that tester succeed. With fewer it did not look at all there is. */
const CHECKS = 70;
const hasTester = spawnSync(PYTHON, ['-c', 'import scim2_tester, httpx2']).status === 0;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('a compliance tester of SCIM', () => {
  if (hasTester)
    it('finds nothing that is not as the standard says', async () => {
      const { url, token } = await directoryOf(server.owner);
      const env = { PATH: process.env['PATH'], SCIM_URL: `${url}/scim/v2`, SCIM_TOKEN: token };
      const check = promisify(execFile)(PYTHON, [join(__dirname, 'scim/check.py')], { env });
      const { succeeded, ...others } = JSON.parse((await check).stdout) as { readonly succeeded: number };
      expect(others).toEqual({ refused: [], skipped: [] });
      expect(succeeded).toBeGreaterThanOrEqual(CHECKS);
    });
  else it.skip('needs a Python with the package scim2-tester (ANNALS_TEST_PYTHON)', () => undefined);
});
