import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { ServerWithUsers } from '../support/server/start-with-users';
import { startWithUsers } from '../support/server/start-with-users';
import type { TestFolder } from '../support/server/test-folder';
import { createTestFolder } from '../support/server/test-folder';

const EXAMPLES = join(__dirname, '../../examples/feed');
/** A Python with the package `cloudevents`. */
const PYTHON = process.env['ANNALS_TEST_PYTHON'] ?? 'python3';
const hasPython = spawnSync(PYTHON, ['-c', 'import cloudevents.core']).status === 0;

let users: ServerWithUsers;
let folder: TestFolder;
let owner: Person;
beforeAll(async () => {
  users = await startWithUsers();
  folder = await createTestFolder();
  ({ owner } = users);
});
afterAll(async () => {
  await users.server.close();
  await folder.drop();
});

const run = async (program: string, file: string, ...args: string[]) => {
  const login = { ANNALS_URL: users.server.url, ANNALS_EMAIL: owner.email, ANNALS_KEY: owner.key };
  const env = { PATH: process.env['PATH'], ...login, INDEX: join(folder.path, 'index.json'), ARCHIVE: archive() };
  return (await promisify(execFile)(program, [join(EXAMPLES, file), ...args], { env })).stdout.trim();
};
const archive = () => join(folder.path, 'archive.ndjson');
const send = async (content: string) =>
  granted(await owner.post<{ id: number }>('/messages', { type: 'direct', to: [owner.id], content })).id;
const head = async () => Math.max(...(await users.server.kernel.events.heads()).values());

describe('the indexer', () => {
  const find = (word: string) => run(process.execPath, 'indexer.mjs', 'find', word);

  it('finds messages by what they say now', async () => {
    const [kept, edited, deleted] = [await send('blue whales'), await send('blue sky'), await send('blue moon')];
    await run(process.execPath, 'indexer.mjs', 'once');
    expect(await find('whales')).toBe(String(kept));
    expect((await find('Blue')).split('\n')).toEqual([kept, edited, deleted].map(String));
    granted(await owner.patch(`/messages/${edited}`, { content: 'red sky' }));
    granted(await owner.delete(`/messages/${deleted}`));
    await run(process.execPath, 'indexer.mjs', 'once');
    expect(await find('blue')).toBe(String(kept));
    expect(await find('red')).toBe(String(edited));
  });

  it('has 40 lines of code at most', async () => {
    const lines = (await readFile(join(EXAMPLES, 'indexer.mjs'), 'utf8')).split('\n');
    expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(40);
  });
});

describe('the archive', () => {
  if (hasPython)
    it('has every event once and in order', async () => {
      for (const content of ['one', 'two']) {
        await send(content);
        await run(PYTHON, 'archive.py', 'once');
        const lines = (await readFile(archive(), 'utf8')).trim().split('\n');
        const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
        expect(ids).toEqual(Array.from({ length: await head() }, (_, n) => `1/${n + 1}`));
      }
    });
  else it.skip('needs a Python with the package cloudevents (ANNALS_TEST_PYTHON)', () => undefined);
});

describe('the forwarder to a SIEM', () => {
  let siem: Server;
  let received = '';
  beforeAll(async () => {
    siem = createServer((socket) => socket.on('data', (piece) => (received += String(piece))));
    siem.listen(0, '127.0.0.1');
    await once(siem, 'listening');
  });
  afterAll(() => void siem.close());

  /** The messages by the lengths before them. */
  const messages = () => {
    const found: string[] = [];
    for (let rest = Buffer.from(received); rest.length > 0;) {
      const space = rest.indexOf(' ');
      const end = space + 1 + Number(rest.subarray(0, space).toString());
      found.push(rest.subarray(space + 1, end).toString());
      rest = rest.subarray(end);
    }
    return found;
  };

  it('sends what concerns accounts as syslog messages, each once', async () => {
    const { port } = siem.address() as AddressInfo;
    await run(process.execPath, 'siem.mjs', `127.0.0.1:${port}`, 'once');
    const before = messages().length;
    expect(before).toBeGreaterThan(5);
    granted(await owner.delete(`/users/${users.other.id}`));
    await send('not for a SIEM');
    await run(process.execPath, 'siem.mjs', `127.0.0.1:${port}`, 'once');
    const [deactivated, ...more] = messages().slice(before);
    expect(deactivated).toMatch(
      /^<86>1 \d{4}-.*Z 127\.0\.0\.1 annals - - \[annals@32473 id="1\/\d+" type="annals\.users\.Deactivated\.v1" /,
    );
    expect(deactivated).toContain(`subject="user/${users.other.id}" actor="${owner.id}"]`);
    expect(more.join('\n')).not.toContain('messages.');
  });
});
