import type { Position, RealmId } from '../../domain/index';
import { EventLog } from '../../log/event-log';
import { EventRegistry } from '../../log/encoding/registry';
import { Announcement } from './announcement';
import { TwoVersionsLive } from '../rebuild/build';
import type { Projection } from '../definition/define';
import { LiveModels } from '../inline/live-models';
import { KeepUp } from '../inline/keep-up';
import { Rebuild } from '../rebuild/rebuild';
import { Asked } from '../spec-support/asked';
import { manyNotes, note, notes, touch, v1, v2 } from '../spec-support/notes';
import { countingUnderLock } from '../spec-support/sources';
import { SpecLog } from '../spec-support/spec-log';

const REALM = 1 as RealmId;
const v3 = notes({ version: 3 });
const extra = notes({ version: 1, name: 'extra' });

describe('two versions of a read model', () => {
  let log: SpecLog;
  const there: Announcement[] = [];

  beforeEach(async () => {
    log = await SpecLog.open();
    await log.store.ensureLive([v1]);
    log.inline = [v1];
    await log.append(1, ...manyNotes(1, 12));
  });
  afterEach(async () => {
    await Promise.all(there.splice(0).map((one) => one.stop()));
    await log.close();
  });

  const rebuild = (...declared: Projection[]) => new Rebuild({ ...log.deps, pageSize: 10 }, declared);
  const row = async (name = 'notes') => (await log.store.rows()).get(name);
  /**
   * A process that needs these versions. It announces itself on request only: no timer interferes with the clock of the
   * spec.
   */
  async function announce(...declared: Projection[]): Promise<Announcement> {
    const { database, clock } = log;
    const models = new LiveModels(database.pool, declared);
    const one = new Announcement({ pool: database.pool, clock, models }, 'api', declared);
    await one.say();
    there.push(one);
    return one;
  }
  /** The rows that a reader of this code finds after the fence. */
  async function seenBy(declared: Projection): Promise<number[]> {
    const models = new LiveModels(log.database.pool, [declared]);
    await new KeepUp({ ...log.deps, models }).reach(await log.source.heads());
    return (await log.rows(declared.name, `view_${declared.name}_${declared.version}`)).map((one) => Number(one['id']));
  }
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  it('are both live while processes need them, and each sees what the other writes', async () => {
    await announce(v1);
    await rebuild(v2).upgrade();
    expect(await row()).toMatchObject({ version: 1, nextVersion: 2, sideBySide: true });
    for (const [inline, id] of [
      [v2, 13],
      [v1, 14],
      [v1, 15],
      [v2, 16],
    ] as const) {
      log.inline = [inline];
      await log.append(1, note(id), touch(id));
      expect(await seenBy(v1)).toEqual(upTo(id));
      expect(await seenBy(v2)).toEqual(upTo(id));
    }
    // A realm that nobody had written to.
    log.inline = [v2];
    await log.append(2, note(17));
    expect(await seenBy(v1)).toEqual(upTo(17));
    for (const each of [v1, v2]) expect(await rebuild(each).compareWithReplay()).toEqual([]);
  });

  it('are one again when no process needs the older one, which can be restored', async () => {
    const old = await announce(v1);
    await rebuild(v2).upgrade();
    log.inline = [v1];
    await log.append(1, note(13));
    expect(await rebuild(v2).settle()).toEqual([]);
    await old.stop();
    expect(await rebuild(v2).settle()).toEqual(['notes']);
    expect(await row()).toMatchObject({ version: 2, nextVersion: null, prevVersion: 1, sideBySide: false });
    await expect(log.append(1, note(14))).rejects.toThrow('notes is live in version 2, this process writes version 1');
    log.inline = [v2];
    await log.append(1, note(14));
    expect(await seenBy(v2)).toEqual(upTo(14));
    expect(await rebuild(v2).compareWithReplay()).toEqual([]);
    expect(await log.checkpoint('notes', 1)).toBeUndefined();
    await rebuild(v1).run(['notes']);
    expect(await rebuild(v1).compareWithReplay()).toEqual([]);
  });

  it('are not created again by a process that does not know yet that one of them has ended', async () => {
    const old = await announce(v1);
    await rebuild(v2).upgrade();
    const models = new LiveModels(log.database.pool, [v2]);
    const late = new KeepUp({ ...log.deps, models });
    expect((await models.now()).sideBySide).toHaveLength(1);
    await old.stop();
    await rebuild(v2).settle();
    log.inline = [v2];
    const head = await log.append(1, note(13), touch(13));
    await late.reach(new Map([[REALM, head as Position]]));
    expect(models.alone).not.toBeNull();
    expect(await rebuild(v2).compareWithReplay()).toEqual([]);
  });

  it('are noticed by a reader of a page of the log before it uses the page', async () => {
    const { pool } = log.database;
    const models = new LiveModels(pool, [v1]);
    const events = new EventLog(pool, new EventRegistry([Asked]), null, models);
    await models.now(pool, 0);
    await announce(v1);
    await rebuild(v2).upgrade();
    expect(models.alone).not.toBeNull();
    await events.page(REALM, 0, 1);
    expect(models.alone).toBeNull();
    expect((await models.now()).sideBySide).toMatchObject([{ projection: 'notes' }]);
  });

  it('are one again when the newer processes have ended', async () => {
    await announce(v1);
    const newer = await announce(v2);
    await rebuild(v2).upgrade();
    log.inline = [v2];
    await log.append(1, note(13));
    await newer.stop();
    expect(await rebuild(v1).settle()).toEqual(['notes']);
    expect(await row()).toMatchObject({ version: 1, nextVersion: null, prevVersion: 2, sideBySide: false });
    await expect(log.append(1, note(14))).rejects.toThrow('notes is live in version 1, this process writes version 2');
    log.inline = [v1];
    await log.append(1, note(14));
    expect(await seenBy(v1)).toEqual(upTo(14));
    expect(await rebuild(v1).compareWithReplay()).toEqual([]);
  });

  /** The database is available, and these announce themselves every two seconds. */
  async function pass(ms: number, ...living: Announcement[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 2_000) {
      log.clock.advance(2_000);
      for (const one of living) await one.say();
    }
  }
  const settledBy = (asking: Announcement) =>
    new Rebuild({ ...log.deps, pageSize: 10, steadySince: () => asking.steadySince }, [v2]).settle();

  it('remain while a process has not announced itself for a while, and no longer', async () => {
    const old = await announce(v1);
    const asking = await announce(v2);
    await rebuild(v2).upgrade();
    await pass(28_000, asking);
    expect(await settledBy(asking)).toEqual([]);
    await pass(4_000, asking);
    expect(await settledBy(asking)).toEqual(['notes']);
    await old.stop();
  });

  it('remain right after an outage, until other processes have had time to announce themselves', async () => {
    const old = await announce(v1);
    const asking = await announce(v2);
    await rebuild(v2).upgrade();
    await pass(40_000, asking, old);
    log.clock.advance(40_000);
    expect(await settledBy(asking)).toEqual([]);
    await asking.say();
    expect(await settledBy(asking)).toEqual([]);
    const fresh = await announce(v2);
    expect(await settledBy(fresh)).toEqual([]);
    await pass(60_000, asking, fresh, old);
    for (const one of [asking, fresh]) expect(await settledBy(one)).toEqual([]);
    expect(await row()).toMatchObject({ version: 1, nextVersion: 2, sideBySide: true });
    await pass(32_000, asking, fresh);
    expect(await settledBy(asking)).toEqual(['notes']);
  });

  it('remain after an outage of hours, until processes have announced themselves for long enough', async () => {
    const old = await announce(v1);
    const asking = await announce(v2);
    await rebuild(v2).upgrade();
    log.clock.advance(10 * 3_600_000);
    await asking.say();
    expect(await settledBy(asking)).toEqual([]);
    await pass(40_000, asking, old);
    expect(await settledBy(asking)).toEqual([]);
  });

  it('are not ended by a process that has the code of neither', async () => {
    await announce(v2);
    const old = await announce(v1);
    await rebuild(v2).upgrade();
    await expect(rebuild(v3).upgrade()).rejects.toThrow(TwoVersionsLive);
    await old.stop();
    expect(await rebuild(v3).settle()).toEqual([]);
    expect(await rebuild(v2).settle()).toEqual(['notes']);
  });

  it('are ended together by a process for which another read model is not live yet', async () => {
    const old = await announce(v1);
    await announce(v2);
    await rebuild(v2).upgrade();
    log.inline = [v1];
    await log.append(1, note(13), touch(13));
    await old.stop();
    expect(await rebuild(v2, extra).settle()).toEqual(['notes']);
    expect(await rebuild(v2).compareWithReplay()).toEqual([]);
  });

  it('give way to a third one when no process needs them', async () => {
    const both = [await announce(v1), await announce(v2)];
    await rebuild(v2).upgrade();
    for (const one of both) await one.stop();
    expect(await rebuild(v3).settle()).toEqual(['notes']);
    expect(await row()).toBeUndefined();
    await rebuild(v3).upgrade();
    log.inline = [v3];
    await log.append(1, note(13));
    expect(await seenBy(v3)).toEqual(upTo(13));
  });

  it('may be one and none: read models of the newer processes only, and of the older ones only', async () => {
    const old = await announce(v1);
    await rebuild(extra).upgrade();
    expect(await row()).toMatchObject({ version: 1, nextVersion: null, sideBySide: true });
    expect(await row('extra')).toMatchObject({ version: null, nextVersion: 1, sideBySide: true });
    log.inline = [v1];
    await log.append(1, note(13));
    expect(await seenBy(extra)).toEqual(upTo(13));
    log.inline = [extra];
    await log.append(1, note(14));
    expect(await seenBy(v1)).toEqual(upTo(14));
    await old.stop();
    expect((await rebuild(extra).settle()).sort()).toEqual(['extra', 'notes']);
    expect(await row()).toBeUndefined();
    expect(await row('extra')).toMatchObject({ version: 1, sideBySide: false });
    await log.append(1, note(15));
    expect(await seenBy(extra)).toEqual(upTo(15));
  });

  it('are written side by side by many processes, and nothing is lost', async () => {
    await announce(v1);
    await rebuild(v2).upgrade();
    const another = await log.another();
    another.inline = [v2];
    const write = async (by: SpecLog, realm: number) => {
      for (let i = 0; i < 30; i += 1) await by.append(realm, note(100 + i), touch(100 + i));
    };
    await Promise.all([write(log, 1), write(another, 1), write(log, REALM + 1), write(another, REALM + 1)]);
    await Promise.all([seenBy(v1), seenBy(v2), seenBy(v1), seenBy(v2)]);
    for (const each of [v1, v2]) expect(await rebuild(each).compareWithReplay()).toEqual([]);
    await another.close();
  });

  describe('of many organizations', () => {
    const MANY = 200;
    const FEW_STATEMENTS = 60;

    /** Events in realms of which nobody has written read models. */
    async function writtenByOthers(realms: number): Promise<void> {
      await log.database.pool.query(
        `WITH heads AS (
           INSERT INTO realm_heads AS h SELECT n, 1, 0 FROM generate_series(2, $1::int4 + 1) AS n
           ON CONFLICT (realm_id) DO UPDATE SET position = h.position + 1 RETURNING realm_id, position
         )
         INSERT INTO events (realm_id, position, stream, version, type, v, command_id, correlation, client, at, data, leaf_hash)
         SELECT realm_id, position, 'asked-' || position, 1, $2, 1, c, c, 'spec', 0,
           json_build_array(json_build_object('do', 'insert', 'table', 'notes', 'row', json_build_object('id', position))), ''
         FROM heads, gen_random_uuid() AS c`,
        [realms, Asked.type],
      );
    }

    async function ended(before: (times: number) => Promise<void>): Promise<readonly number[]> {
      const old = await announce(v1);
      await rebuild(v2).upgrade();
      await writtenByOthers(MANY);
      await old.stop();
      const { source, statements } = countingUnderLock(log.source, before);
      expect(await new Rebuild({ ...log.deps, source }, [v2]).settle()).toEqual(['notes']);
      expect(await rebuild(v2).compareWithReplay()).toEqual([]);
      return statements;
    }

    it('are one again after a few statements during which writers wait', async () => {
      const statements = await ended(() => writtenByOthers(1));
      expect(statements).toHaveLength(1);
      expect(statements[0]).toBeLessThan(FEW_STATEMENTS);
    });

    it('are one again if little is left to do while writers wait', async () => {
      const statements = await ended((times) => writtenByOthers(times === 0 ? MANY : 1));
      expect(statements).toHaveLength(2);
      for (const each of statements) expect(each).toBeLessThan(FEW_STATEMENTS);
    });
  });
});
