import type { PoolClient } from 'pg';
import type { RealmId } from '../../domain/index';
import { Announcement } from '../versions/announcement';
import { ExactSnapshots } from './exact-snapshot';
import { KeepUp } from './keep-up';
import { LiveModels } from './live-models';
import { Rebuild } from '../rebuild/rebuild';
import { isWaitingForLock } from '../spec-support/locks';
import { manyNotes, note, notes, v1, v2 } from '../spec-support/notes';
import { SpecLog } from '../spec-support/spec-log';

const REALM = 1 as RealmId;
const counted = notes({ version: 1, name: 'counted', lifecycle: 'background' });

describe('an exact snapshot while two versions of a read model are live', () => {
  let log: SpecLog;
  let old: Announcement;
  let snapshots: ExactSnapshots;

  beforeEach(async () => {
    log = await SpecLog.open();
    const { database, clock } = log;
    await log.store.ensureLive([v1, counted]);
    log.inline = [v1];
    await log.append(1, ...manyNotes(1, 5));
    const older = [v1, counted];
    old = new Announcement({ pool: database.pool, clock, models: new LiveModels(database.pool, older) }, 'api', older);
    await old.start();
    await rebuild().upgrade();
    const models = new LiveModels(database.pool, [v2]);
    snapshots = new ExactSnapshots({
      ...log.deps,
      events: log.source,
      models,
      keepUp: new KeepUp({ ...log.deps, models }),
    });
  });
  afterEach(async () => {
    await old.stop();
    await log.close();
  });

  const rebuild = () => new Rebuild(log.deps, [v2, counted]);
  const idsIn = async (client: PoolClient, table = 'view_notes_2.notes') =>
    (await client.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  it('has what the other version has just written, and nothing that is written between its reads', async () => {
    await log.append(1, note(6));
    const read = await snapshots.read(REALM, async (client, head) => {
      const before = await idsIn(client);
      await log.append(1, note(7));
      await log.append(2, note(8));
      return { head, before, after: await idsIn(client) };
    });
    expect(read).toEqual({ head: 6, before: upTo(6), after: upTo(6) });
  });

  it('holds the tables that it reads until it ends', async () => {
    await log.append(1, note(6));
    let switched: Promise<void> = Promise.resolve();
    const read = await snapshots.read(REALM, async (client) => {
      switched = rebuild().run(['counted']);
      await isWaitingForLock(log);
      return idsIn(client, 'view_counted_1.counted');
    });
    expect(read).toEqual([]);
    await switched;
    expect(await log.rows('counted')).toHaveLength(6);
  });

  it('can be taken by many callers at once, with few connections', async () => {
    await log.append(1, note(6));
    const reads = Array.from({ length: 40 }, () => snapshots.read(REALM, (client) => idsIn(client)));
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 40 }, () => upTo(6)));
  });
});
