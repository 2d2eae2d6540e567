import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckpointSigner } from '@annals/audit';
import { KeyStore } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import { SignedLog } from '../../spec-support/signed-log';
import { rotateKey } from './key-rotate';
import { verify } from './verify';

const TABLES = ['events', 'realm_heads', 'tree_tiles', 'tree_sizes', 'audit_checkpoints', 'secrets'];

let log: SignedLog;
let kernel: Kernel;
let folder: string;
let lines: string[];
let signer: CheckpointSigner;
let head: number;

beforeAll(async () => {
  log = await SignedLog.open();
  ({ kernel, folder, lines } = log);
  signer = log.signer();
  await signer.sweep();
  for (let n = 0; n < 3; n++) {
    await rotateKey(kernel, { keys: new KeyStore({ folder }), url: log.url }, {}, log.print);
    log.clock.advance(3_600_000);
    await signer.sweep();
  }
  head = await log.head();
  for (const table of TABLES) await kernel.database.pool.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
});
afterAll(() => log.close());

const tamper = (...statements: string[]) => log.tamper(...statements);
afterEach(() => tamper(...TABLES.flatMap((name) => [`DELETE FROM ${name}`, `INSERT INTO ${name} TABLE kept_${name}`])));
beforeEach(() => void lines.splice(0));

async function broken(options = {}): Promise<[position: number, what: string] | null> {
  lines.splice(0);
  const code = await verify(kernel, options, log.print);
  const [, position, what] = /broken at position (\d+): (.*) \(the/.exec(lines.join()) ?? [];
  expect(code).toBe(position === undefined ? 0 : 1);
  return position === undefined ? null : [Number(position), what ?? ''];
}
/** Sets the leaf hash of an event to the hash of its content, as the server computes it. */
async function rehash(position: number): Promise<void> {
  const [event] = await kernel.events.canonicalPage(log.realm, position - 1, 1);
  const hash = createHash('sha256').update(`\0${event?.toString()}`).digest('hex');
  await tamper(`UPDATE events SET leaf_hash = '\\x${hash}' WHERE position = ${position}`);
}
/** The newest checkpoint, as an auditor keeps it. */
async function keptFile(): Promise<string> {
  const { rows } = await kernel.database.pool.query<{ note: string }>(
    'SELECT note FROM audit_checkpoints ORDER BY size DESC LIMIT 1',
  );
  const file = join(folder, 'kept');
  writeFileSync(file, rows[0]?.note ?? '');
  return file;
}
const MOVED = (from: number, by: number) =>
  `UPDATE events SET position = position + 1000 WHERE position >= ${from};
   UPDATE events SET position = position - ${1000 - by} WHERE position > 1000;
   UPDATE realm_heads SET position = position + ${by}`;

describe('annals verify', () => {
  it('finds nothing in a log that nobody changed', async () => {
    expect(await broken()).toBeNull();
    expect(lines).toEqual([`realm 1: ${head} events, intact; 4 checkpoints agree`]);
    expect(await broken({ against: await keptFile() })).toBeNull();
    expect(lines[0]).toContain('5 checkpoints agree');
  });

  it('keeps the key where only the server reads it', () => {
    expect(statSync(join(folder, 'audit-key.pem')).mode & 0o777).toBe(0o600);
  });

  it.each<[what: string, position: number, found: string, ...statements: string[]]>([
    ['a fact', 5, 'hash', `UPDATE events SET data = '{}' WHERE position = 5`],
    ['a text', 1, 'commitment', `UPDATE events SET sealed = '{"words":{}}' WHERE position = 1`],
    [
      'two rows, which are swapped',
      5,
      'hash',
      `UPDATE events SET position = 1011 - position WHERE position IN (5, 6);
       UPDATE events SET position = position - 1000 WHERE position > 1000`,
    ],
    ['a row, which is gone', 7, 'missing', 'DELETE FROM events WHERE position = 7'],
    ['a row, which is gone with its place', 7, 'hash', 'DELETE FROM events WHERE position = 7', MOVED(8, -1)],
    [
      'a row, which is new',
      7,
      'hash',
      MOVED(7, 1),
      `INSERT INTO events SELECT realm_id, 7, 'forged', 1, type, v, actor_id, command_id, correlation, causation, client, at,
        data, NULL, NULL, NULL, leaf_hash FROM events WHERE position = 3`,
    ],
    ['the time of an event', 8, 'hash', 'UPDATE events SET at = at + 1 WHERE position = 8'],
    ['who did it', 9, 'hash', 'UPDATE events SET actor_id = 99 WHERE position = 9'],
    ['a type', 9, 'hash', `UPDATE events SET type = 'realm.Created' WHERE position = 9`],
    ['a commitment', 1, 'hash', `UPDATE events SET commitment = '\\x00' WHERE position = 1`],
    ['a stream', 9, 'hash', `UPDATE events SET stream = 'other' WHERE position = 9`],
    ['a version', 9, 'hash', 'UPDATE events SET version = 7 WHERE position = 9'],
    ['a leaf hash', 9, 'hash', `UPDATE events SET leaf_hash = sha256('forged') WHERE position = 9`],
  ])('finds %s', async (_, position, found, ...statements) => {
    await tamper(...statements);
    expect(await broken()).toEqual([position, expect.stringContaining(found)]);
  });

  it('finds an event that was changed with its hash, and names it', async () => {
    for (const change of ['client = $$forged$$', 'actor_id = 99', 'command_id = gen_random_uuid()']) {
      await tamper(`UPDATE events SET ${change} WHERE position = 6`);
      await rehash(6);
      expect(await broken()).toEqual([6, 'the tree of the log has another hash for this position']);
    }
  });

  it('finds it from a later position on by the tree, and not what is before it', async () => {
    await tamper('UPDATE events SET actor_id = 99 WHERE position = 6');
    expect(await broken({ from: 7 })).toBeNull();
    expect(lines[0]).toContain(`${head - 6} events, intact`);
    await tamper('UPDATE events SET actor_id = 98 WHERE position = 8');
    expect(await broken({ from: 7 })).toEqual([8, expect.stringContaining('hash')]);
    expect(await broken({ from: 8 })).toEqual([8, expect.stringContaining('hash')]);
    await tamper(`UPDATE tree_tiles SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
    expect((await broken({ from: 9 }))?.[1]).toContain('checkpoint');
  });

  it('finds that the end was cut off, by the newest checkpoint', async () => {
    const last = head - 1;
    await tamper(
      `DELETE FROM events WHERE position > ${last}`,
      `UPDATE realm_heads SET position = ${last}`,
      `UPDATE tree_sizes SET size = ${last}`,
    );
    expect(await broken()).toEqual([head, `the log ends at ${last}, but the newest checkpoint knows ${head}`]);
    const file = await keptFile();
    await tamper(`DELETE FROM audit_checkpoints WHERE size > ${last}`);
    expect(await broken({ against: file })).toEqual([
      head,
      `the log ends at ${last}, but the given checkpoint of ${head} has ${head}`,
    ]);
  });

  it('finds changed tiles', async () => {
    await tamper('UPDATE tree_tiles SET hashes = substr(hashes, 1, 96)');
    expect(await broken()).toEqual([4, 'the tree of the log has no hash for this position']);
  });

  it('finds a checkpoint that was not signed with the key of the log', async () => {
    await tamper(`UPDATE audit_checkpoints SET note = replace(note, 'chat', 'chap') WHERE size = ${head}`);
    expect(await broken()).toEqual([head, `the checkpoint of ${head} is not signed with the key of the log`]);
  });

  it('finds a consistent rewrite by a checkpoint that was kept elsewhere, and names where it begins', async () => {
    const file = await keptFile();
    await tamper('UPDATE events SET actor_id = 99 WHERE position = 6');
    await rehash(6);
    await tamper('DELETE FROM tree_tiles', 'DELETE FROM tree_sizes', 'DELETE FROM audit_checkpoints');
    await signer.sweep();
    expect(await broken()).toBeNull();
    expect(await broken({ against: file })).toEqual([
      1,
      `the events up to ${head} are not those that the given checkpoint of ${head} was signed for`,
    ]);
    // Checkpoints that were not replaced narrow it down.
    await tamper('DELETE FROM audit_checkpoints');
    await tamper(`INSERT INTO audit_checkpoints TABLE kept_audit_checkpoints`);
    const { rows } = await kernel.database.pool.query<{ size: number }>(
      'SELECT min(size) AS size FROM audit_checkpoints',
    );
    expect(await broken()).toEqual([1, expect.stringContaining(`the checkpoint of ${rows[0]?.size} was signed`)]);
  });

  it('refuses files that are no checkpoint, or one of another log', async () => {
    const file = join(folder, 'other');
    writeFileSync(file, 'nothing');
    await expect(verify(kernel, { against: file }, log.print)).rejects.toThrow('has no checkpoint');
    await expect(verify(kernel, { against: join(folder, 'none') }, log.print)).rejects.toThrow('cannot be read');
    const { rows } = await kernel.database.pool.query<{ note: string }>('SELECT note FROM audit_checkpoints LIMIT 1');
    writeFileSync(file, rows[0]?.note.replaceAll('chat.example.com', 'other.example.com') ?? '');
    expect(await verify(kernel, { against: file }, log.print)).toBe(1);
    expect(lines[0]).toContain('No log has the name other.example.com/api/v1/audit');
    writeFileSync(file, rows[0]?.note.replace(/^(chat[^\n]*\n)\d+/, '$15') ?? '');
    expect((await broken({ against: file }))?.[0]).toBeGreaterThan(0);
  });
});

describe('signing', () => {
  const newest = async () => {
    const { rows } = await kernel.database.pool.query<{ size: number }>(
      'SELECT max(size) AS size FROM audit_checkpoints',
    );
    return rows[0]?.size;
  };

  it('stops when the tree is not the one that was signed', async () => {
    await tamper(`UPDATE tree_tiles SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
    const before = await kernel.database.pool.query('TABLE audit_checkpoints');
    log.clock.advance(3_600_000);
    await signer.sweep();
    expect((await kernel.database.pool.query('TABLE audit_checkpoints')).rowCount).toBe(before.rowCount);
  });

  it('is done by one of several workers', async () => {
    await tamper('DELETE FROM audit_checkpoints', 'DELETE FROM tree_tiles', 'DELETE FROM tree_sizes');
    await Promise.all([signer.sweep(), signer.sweep(), signer.sweep()]);
    await signer.sweep();
    const { rows } = await kernel.database.pool.query<{ note: string }>('SELECT note FROM audit_checkpoints');
    expect(rows.length).toBe(1);
  });

  it('is not done with a key that the log does not name, nor is another one made', async () => {
    const other = mkdtempSync(join(tmpdir(), 'annals-key-'));
    await tamper('DELETE FROM audit_checkpoints');
    await log.signer(new KeyStore({ folder: other })).sweep();
    new KeyStore({ folder: other }).create();
    await log.signer(new KeyStore({ folder: other })).sweep();
    expect(await newest()).toBeNull();
    expect(new KeyStore({ folder: other }).read()).not.toBeNull();
    rmSync(other, { recursive: true });
  });

  // The last one: a process that has seen such a log refuses to continue.
  it('stops when the log ends before what was signed', async () => {
    await tamper(`DELETE FROM events WHERE position = ${head}`, `UPDATE realm_heads SET position = ${head - 1}`);
    log.clock.advance(3_600_000);
    await signer.sweep();
    expect(await newest()).toBe(head);
  });
});
