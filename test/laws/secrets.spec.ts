import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Logger } from '@nestjs/common';
import { Metrics } from '@annals/web';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import { AppProcess } from '../support/processes/processes';
import { secrets } from '../support/laws/secrets';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';
import { uploadFile } from '../support/requests/uploads';

let server: TestServer;
let ann: Person;
beforeAll(async () => (server = await startTestServer()));
beforeEach(async () => (ann = await server.person()));
// If a secret was logged or stored by these specs, closing the server fails.
afterAll(() => server.end());

const header = () => `Basic ${btoa(`${ann.email}:${ann.key}`)}`;
const say = (content: string) => ann.post('/messages', { type: 'direct', to: [ann.id], content });

describe('the law of secrets', () => {
  it('holds for a server that created and deleted passwords, keys and links of every kind', async () => {
    const { api_key: second } = granted(await ann.post<{ api_key: string }>('/users/me/api_key/regenerate'));
    const again = server.as({ email: ann.email, key: second });
    granted(await again.patch('/settings', { old_password: ann.password, new_password: 'quite another password' }));
    await again.patch('/settings', { old_password: 'a wrong old password', new_password: 'and yet another one' });
    await server.anonymous.post('/fetch_api_key', { username: ann.email, password: 'a mistyped password' });
    await server.anonymous.post('/users/me/status', { password: 'sent to no endpoint' });
    await server.bot(server.owner);
    await server.settled();
    await server.ensureLaws();
  });

  it('finds a secret in a refusal', async () => {
    const echo = `word ${ann.key}`;
    secrets.exchanged({}, { status: 400, body: { result: 'error', msg: echo } });
    expect(await server.leaks()).toContainEqual(`refusals and complaints: key ${ann.key} (as it is)`);
    expect(await server.leaks()).toEqual([]);
  });

  it('finds a new password that is too weak, in the refusal', async () => {
    const input = { new_password: 'a weakling of a word' };
    const refuse = (msg: string) => secrets.exchanged(input, { status: 400, body: { result: 'error', msg } });
    refuse('too weak');
    expect(await server.leaks()).toEqual([]);
    refuse(`too weak: ${input.new_password}`);
    expect(await server.leaks()).toContainEqual(expect.stringMatching(/^refusals and complaints: password /));
  });

  it('finds digests and hashes outside of the secrets', async () => {
    const { pool } = server.kernel.database;
    expect(await server.leaks()).toEqual([]);
    await pool.query(`CREATE TABLE elsewhere AS SELECT value FROM secrets WHERE kind = 'password'`);
    expect(await server.leaks()).toContainEqual(expect.stringMatching(/^public\.elsewhere: password-\d+ \(hex\)$/));
  });

  it.each([
    ['as it is', () => ann.key, 'key'],
    ['in the header of a login', header, 'key'],
    ['in hex', () => Buffer.from(ann.password).toString('hex'), 'password'],
    ['in a URL', () => `https://example.com/?p=${encodeURIComponent(ann.password)}`, 'password'],
  ] as const)('sees a secret in the database %s', async (_, form, kind) => {
    granted(await say(form()));
    await server.settled();
    const found = new RegExp(`^public\\.\\w*events\\w*: ${kind} ${ann[kind]} \\(`);
    expect(await server.leaks()).toContainEqual(expect.stringMatching(found));
    await expect(server.ensureLaws()).rejects.toThrow('secrets stand where they must not');
  });

  it('finds a secret in the log, at every level', async () => {
    const log = new Logger('spec');
    for (const level of ['error', 'verbose'] as const) log[level](`${level} ${ann.key}`);
    expect(await server.leaks()).toContainEqual(expect.stringMatching(new RegExp(`^log: key ${ann.key}`)));
  });

  it('finds a secret with quotes inside JSON', async () => {
    secrets.add('password', 'an "odd" \\ word');
    granted(await say('an "odd" \\ word'));
    await server.settled();
    expect(await server.leaks()).toContainEqual(expect.stringMatching(/^public\.events\w*: password an .* \(JSON\)$/));
  });

  it('finds a secret on standard error of a process', async () => {
    const output: string[] = [];
    const start = AppProcess.start('worker', { NODE_OPTIONS: '--none-such' }, (text) => output.push(text));
    await expect(start).rejects.toThrow('worker ended with 9');
    while (output.length === 0) await delay(1);
    expect(output.join('')).toContain('--none-such');
  });

  it('knows keys, passwords and links that the product generated', async () => {
    const known = () => [...secrets].map(({ name }) => name);
    const { api_key: key } = granted(
      await server.anonymous.post<{ api_key: string }>('/fetch_api_key', {
        username: ann.email,
        password: ann.password,
      }),
    );
    expect(known()).toEqual(expect.arrayContaining([`key ${key}`, `password ${ann.password}`]));
    const file = await uploadFile(ann);
    const { url } = granted(await ann.get<{ url: string }>(file.url));
    expect(known()).toContain(`link ${url.split('/')[3]}`);
  });

  const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
  if (redisUrl !== undefined)
    it('finds a secret in Redis', async () => {
      const redis = new Redis(redisUrl);
      const { prefix } = server.kernel;
      try {
        await redis.hset(`${prefix}:job`, 'data', JSON.stringify({ authorization: header() }));
        await redis.set(`${prefix}:login:${ann.key}`, '1');
        const found = await server.leaks();
        expect(found).toContainEqual(expect.stringMatching(/job: key .* \(base64\)$/));
        expect(found).toContainEqual(expect.stringMatching(/login.* \(as it is\)$/));
      } finally {
        await redis.del(`${prefix}:job`, `${prefix}:login:${ann.key}`);
        redis.disconnect();
      }
    });

  it('finds a secret in the metrics when the server closes', async () => {
    server.apis[0]?.app.get(Metrics).request('GET', `/users/${ann.key}`, 200, 1);
    await expect(server.close()).rejects.toThrow(`metrics: key ${ann.key}`);
  });
});
