import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnGuarded, startService } from './guarded-process';
import type { GuardedCommand } from './guarded-process';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'annals-guarded-'))));
afterEach(() => {
  delete process.env['ANNALS_OWNER_PASSWORD'];
  rmSync(folder, { recursive: true });
});

const shell = (script: string): GuardedCommand => ({
  command: '/bin/sh',
  args: ['-c', script],
  stopSignal: 'SIGTERM',
  logFile: join(folder, 'log'),
});
const log = () => readFileSync(join(folder, 'log'), 'utf8');

describe('a service', () => {
  it('receives nothing of our environment but the path of programs', async () => {
    process.env['ANNALS_OWNER_PASSWORD'] = 'correct horse';
    await (
      await spawnGuarded(shell('env'))
    ).ended;
    expect(log()).toContain(`PATH=${process.env['PATH']}\n`);
    expect(log()).not.toMatch(/correct horse|^HOME=/m);
  });

  it('is stopped when it is given up before it answers', async () => {
    const giveUp = new AbortController();
    const starting = startService({
      name: 'The service',
      commandOn: () => shell('trap "echo stopped; exit" TERM; echo started; while :; do sleep 0.01; done'),
      answersOn: async () => {
        if (log().includes('started')) giveUp.abort();
        return false;
      },
      signal: giveUp.signal,
    });
    await expect(starting).rejects.toThrow('aborted');
    expect(log()).toBe('started\nstopped\n');
  });
});
