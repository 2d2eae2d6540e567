import { HealthChecks } from '@annals/kernel';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../test/support/server/kernel';
import { setUpTestOrganization } from '../../../../test/support/server/organization';
import { settled } from '../../../../test/support/server/settled';
import { contexts } from '../contexts';
import { watchReadiness } from './readiness';

let test: TestKernel;
const health = new HealthChecks();
/** A second later: figures are read once a second. */
const followers = async () => {
  test.clock.advance(1_000);
  return (await health.report()).checks['followers'];
};

beforeAll(async () => {
  test = await openTestKernel(contexts);
  await setUpTestOrganization(test.kernel);
  watchReadiness(test.kernel, health, () => test.kernel.whyTakenBack());
});
afterAll(() => test.close());

describe('readiness', () => {
  it('ends when a follower has not moved for a minute though the log grows', async () => {
    test.clock.advance(60_000);
    expect(await health.report()).toMatchObject({ status: 'ok', checks: { followers: 'ok' } });
    test.clock.advance(1_000);
    const { status, checks } = await health.report();
    expect(status).toBe('unavailable');
    expect(checks['followers']).toMatch(/^\w+ is stuck at position 0 of realm 1, \d+ events behind$/);
  });

  it('continues while a follower is parked, with a notice for the administrator', async () => {
    const { pool } = test.kernel.database;
    await pool.query(
      `INSERT INTO projection_checkpoints (realm_id, projection, generation, position, status, changed_at)
       SELECT 1, name, generation, 0, 'parked', 0 FROM projections WHERE lifecycle <> 'inline'`,
    );
    expect(await followers()).toBe('ok');
    await pool.query(`UPDATE projection_checkpoints SET status = 'running'`);
    expect(await followers()).toMatch('is stuck');
  });

  it('returns as soon as a worker follows', async () => {
    const runner = await test.kernel.follow();
    await settled(test.kernel);
    expect(await followers()).toBe('ok');
    test.clock.advance(1_000_000);
    expect(await followers()).toBe('ok');
    await runner.stop();
  });
});
