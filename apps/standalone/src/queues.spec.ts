import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findQueues } from './queues';
import { readSettings } from '../../shared/src/settings';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-queues-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The queues with these settings, on a machine whose only programs are in the folder of the spec. */
const open = (env: Record<string, string>, path = folder) =>
  findQueues(readSettings({ ANNALS_DATA_DIR: folder, ...env }, '/'), (line) => said.push(line), { path });

describe('the queues', () => {
  it('are on PostgreSQL where there is no Redis', async () => {
    expect(await open({})).toMatchObject({ url: undefined, where: 'PostgreSQL' });
    expect(said).toEqual([]);
  });

  it('are on PostgreSQL when Redis does not start, with a message', async () => {
    writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\necho wrong processor; exit 1\n');
    chmodSync(join(folder, 'redis-server'), 0o755);
    expect(await open({})).toMatchObject({ url: undefined, where: 'PostgreSQL' });
    expect(said.at(-1)).toMatch(/does not start: wrong processor .* PostgreSQL is used for the queues instead\.$/);
  });

  it('use the Redis of the machine if there is one, or report that they use PostgreSQL', async () => {
    const queues = await open({}, process.env['PATH']);
    const where = queues.url ? /^Redis on this machine \(port \d+\)$/ : /^PostgreSQL$/;
    expect(queues.where).toMatch(where);
    await queues.stop();
  });

  it('are never on another Redis than that of REDIS_URL when it is given', async () => {
    const REDIS_URL = 'redis://:secret@127.0.0.1:1/0';
    await expect(open({ REDIS_URL }, process.env['PATH'])).rejects.toThrow(
      'The Redis of REDIS_URL (127.0.0.1:1/0) cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    );
  });
});
