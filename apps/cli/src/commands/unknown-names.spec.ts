import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import { setUpTestOrganization } from '../../../../test/support/server/organization';
import { contexts } from '../../../shared/src/contexts';
import { resume } from './resume';
import { tail } from './tail';
import { verify } from './proof/verify';

let database: TestDatabase;
let kernel: Kernel;
beforeAll(async () => {
  database = await createTestDatabase();
  const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
  kernel = await Kernel.open({ databaseUrl: database.url, redisUrl, contexts, log: pino({ level: 'fatal' }) });
  await setUpTestOrganization(kernel);
});
afterAll(async () => {
  await kernel.close();
  await database.drop();
});

const lines: string[] = [];
const print = (line: string) => void lines.push(line);
afterEach(() => void lines.splice(0));

describe('a mistyped name is reported', () => {
  it.each([true, false])('by annals tail of a realm (--once: %s)', async (once) => {
    const { signal } = new AbortController();
    const tailing = tail(kernel, { realm: 99, words: false, once }, print, signal);
    await expect(tailing).rejects.toThrow('There is no realm 99.');
    await tail(kernel, { realm: 1, after: 0, words: false, once: true }, print, signal);
    expect(lines.length).toBeGreaterThan(0);
  });

  it('by annals verify of a realm', async () => {
    expect(await verify(kernel, { realm: 99 }, print)).toBe(1);
    expect(lines).toEqual(['There is no realm 99.']);
  });

  it('by annals resume of a follower, with those there are', async () => {
    await expect(resume(kernel, 'nope', undefined, print)).rejects.toThrow(
      /^There is no follower nope; .*\bmessages\b/,
    );
    expect(await resume(kernel, 'messages', undefined, print)).toBe(1);
    expect(lines).toEqual(['messages is not parked.']);
  });
});
