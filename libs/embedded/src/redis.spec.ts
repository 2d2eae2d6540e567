import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { startRedis } from './redis';

const log = () => undefined;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'annals-redis-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A redis-server that runs a script, as the only program there is. */
function onlyProgram(script: string): string {
  writeFileSync(join(folder, 'redis-server'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'redis-server'), 0o755);
  return folder;
}

const hasRedis = () => {
  const look = 'command -v redis-server || command -v valkey-server || true';
  return execFileSync('sh', ['-c', look], { encoding: 'utf8' }) !== '';
};

describe('a Redis of our own', () => {
  it('does not exist if the machine has no program for it', async () => {
    expect(await startRedis({ dataDir: folder, log, path: join(folder, 'empty') })).toBeUndefined();
  });

  it('accepts its password only, keeps every key, wakes often, and has ended after a stop', async () => {
    const redis = await startRedis({ dataDir: folder, log });
    expect(redis !== undefined).toBe(hasRedis());
    if (!redis) return;
    const client = new Redis(redis.url);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await client.config('GET', 'hz')).toEqual(['hz', '100']);
    await client.quit();
    const stranger = createConnection(Number(new URL(redis.url).port), '127.0.0.1');
    stranger.write('PING\r\n');
    expect(String((await once(stranger, 'data'))[0])).toMatch(/^-NOAUTH/);
    stranger.resume();
    await Promise.all([once(stranger, 'close'), redis.stop()]);
  });

  it('does not outlive a process that is killed', async () => {
    const script = `setInterval(() => {}, 60_000); require('${__dirname}/index').startRedis({ dataDir: '${folder}', log() {} }).then((r) => process.send(r ?? null))`;
    const hook = resolve(__dirname, '../../../test/support/typescript.cjs');
    const parent = spawn(process.execPath, ['-r', hook, '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [redis] = (await once(parent, 'message')) as [{ url: string } | null];
    expect(redis !== null).toBe(hasRedis());
    const watch = redis && createConnection(Number(new URL(redis.url).port), '127.0.0.1').resume();
    if (watch) await once(watch, 'connect');
    parent.kill('SIGKILL');
    await Promise.all([once(parent, 'exit'), watch && once(watch, 'close')]);
  });

  it('reports the message of the program when it does not start', async () => {
    const path = onlyProgram('echo this processor is too old; exit 1');
    await expect(startRedis({ dataDir: folder, log, path })).rejects.toThrow(
      /redis-server does not start: this processor is too old \(see .*redis\.log\)\.$/,
    );
  });
});
