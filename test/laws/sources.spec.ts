import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('spec-support'))
    .map((file) => join(root, folder, file)),
);
const found = (pattern: RegExp) =>
  sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(root, file));

describe('in all sources', () => {
  it('nothing but the write path and its lock touches the heads of the logs (trap 9)', () => {
    const touching = found(
      /(INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE|TRUNCATE)\s+realm_heads|realm_heads[^;]*FOR UPDATE/,
    );
    expect(touching.sort()).toEqual([
      'libs/kernel/src/log/event-log.ts',
      'libs/kernel/src/log/lane-statements.ts',
      'libs/kernel/src/log/lane.ts',
    ]);
  });

  it('nothing but the write path writes events, and nothing changes them', () => {
    expect(found(/(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+events\b/)).toEqual([
      'libs/kernel/src/log/lane-statements.ts',
    ]);
  });

  it('nobody asks the largest position instead of the head (trap 13)', () => {
    expect(found(/max\(\s*(e\.)?position\s*\)\s+FROM\s+events/i)).toEqual([]);
  });

  it('no request starts a job after its commit, but for the one wake-up that a look at the heads makes up for (trap 12)', () => {
    expect(found(/queues(\(\))?\)?\.(add|wake)\(/)).toEqual(['libs/feed/src/open-feed.ts']);
  });
});
