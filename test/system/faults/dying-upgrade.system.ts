import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LEASE_MS } from '../../../libs/kernel/src/database/lease';
import { Announcement } from '../../../libs/kernel/src/projections/versions/announcement';
import { BuildInProgress } from '../../../libs/kernel/src/projections/rebuild/build-lock';
import type { Projection } from '../../../libs/kernel/src/projections/definition/define';
import { KeepUp, editionOf } from '../../../libs/kernel/src/projections/inline/keep-up';
import { LiveModels } from '../../../libs/kernel/src/projections/inline/live-models';
import { Rebuild } from '../../../libs/kernel/src/projections/rebuild/rebuild';
import { Dying } from '../../../libs/kernel/src/projections/spec-support/dying';
import { manyNotes, note, notes, touch } from '../../../libs/kernel/src/projections/spec-support/notes';
import { SpecLog } from '../../../libs/kernel/src/projections/spec-support/spec-log';

/** Events of a page of a build. */
const PAGE = 1_000;
/** In which a client writes. Then it only reads, or builds would take ever more statements. */
const TURNS = 12;

function isInProgress(error: unknown): true {
  if (!(error instanceof BuildInProgress)) throw error;
  return true;
}

describe('an upgrade', () => {
  let log: SpecLog;
  let lastId = 12;
  beforeEach(async () => {
    log = await SpecLog.open();
    log.inline = [notes({ version: 1 })];
    await log.store.ensureLive(log.inline);
    await log.append(1, ...manyNotes(1, lastId));
    await log.append(2, note(1));
  });
  afterEach(() => log.close());

  const row = async () => (await log.store.rows()).get('notes');

  /** A process that writes and reads until it is stopped. Resolves at its end. @throws the error of a failed request */
  async function goOn(declared: Projection, isOver: () => boolean): Promise<void> {
    const process = await log.another();
    process.inline = [declared];
    const models = new LiveModels(process.database.pool, [declared]);
    const keepUp = new KeepUp({ ...process.deps, models });
    const written = `SELECT FROM view_notes_${declared.version}.notes WHERE realm_id = 1 AND id = $1`;
    try {
      for (let turn = 0; turn < TURNS || !isOver(); turn += 1) {
        if (turn < TURNS && turn % 3 === 0) await process.append(1, note((lastId += 1)), touch(lastId));
        models.note(await editionOf(process.database.pool));
        await keepUp.reach(await process.source.heads());
        expect((await process.database.pool.query(written, [lastId])).rowCount).toBe(1);
      }
    } finally {
      await process.close();
    }
  }

  /** Lets a process of this code do something until it dies, then another one, which does not. @returns whether it died */
  async function dying(statement: number, declared: Projection, act: (one: Rebuild) => Promise<unknown>) {
    const process = await log.another();
    const death = new Dying(process.database, statement);
    const died = act(new Rebuild({ ...process.deps, pageSize: PAGE }, [declared]));
    await died.catch((error: unknown) => {
      if (!death.isDead) throw error;
    });
    await process.close();
    const next = new Rebuild({ ...log.deps, pageSize: PAGE }, [declared]);
    for (;;) {
      try {
        await act(next);
        return death.isDead;
      } catch (error) {
        // PostgreSQL has not noticed the death yet.
        isInProgress(error);
      }
    }
  }

  /** While processes of this code work. */
  async function beside(declared: Projection, act: () => Promise<void>): Promise<void> {
    let isOver = false;
    const working = goOn(declared, () => isOver);
    // It is waited for below; until then it may fail.
    working.catch(() => undefined);
    try {
      await act();
    } finally {
      isOver = true;
      await working;
    }
  }

  it('whose process dies is finished by the next one, at any statement, and fails no client that works meanwhile', async () => {
    let dies = true;
    let version = 1;
    for (let statement = 1; dies; statement += 1, version += 1) {
      const [older, newer] = [notes({ version }), notes({ version: version + 1 })];
      const models = new LiveModels(log.database.pool, [older]);
      const old = new Announcement({ pool: log.database.pool, clock: log.clock, models }, 'api', [older]);
      await old.start();
      await beside(older, async () => {
        dies = await dying(statement, newer, (process) => process.upgrade());
      });
      expect(await row()).toMatchObject({ version, nextVersion: version + 1, sideBySide: true });
      await old.stop();
      await beside(newer, async () => {
        const died = await dying(statement, newer, (process) => process.settle());
        dies ||= died;
      });
      expect(await row()).toMatchObject({ version: version + 1, nextVersion: null, sideBySide: false });
      expect(await new Rebuild(log.deps, [newer]).compareWithReplay()).toEqual([]);
    }
    // All that there is to be opened, built, switched and retired.
    expect(version).toBeGreaterThan(30);
  });

  it('whose process is frozen is taken over by another one, and one that continues is not', async () => {
    const builder = fork(join(__dirname, 'builder.ts'), [log.database.url], {
      execArgv: ['-r', require.resolve('../../support/typescript.cjs')],
    });
    try {
      await once(builder, 'message');
      const upgrade = () => new Rebuild(log.deps, [notes({ version: 2 })]).upgrade();
      const patience = performance.now() + LEASE_MS + 2_000;
      while (performance.now() < patience) await expect(upgrade()).rejects.toThrow(BuildInProgress);
      builder.kill('SIGSTOP');
      while (await upgrade().then(() => false, isInProgress));
      expect(await row()).toMatchObject({ version: 2 });
    } finally {
      builder.kill('SIGKILL');
      await once(builder, 'exit');
    }
  });
});
