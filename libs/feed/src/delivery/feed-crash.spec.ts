import { Client } from 'pg';
import fc from 'fast-check';
import type { Position } from '@annals/kernel/domain';
import type { OpenedQueue, ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { crash, onceItAnswers, postgresOfItsOwn, recovered } from '../../../../test/faults/crash';
import { eventId } from '../domain/event-id';
import { arrived, joined, opened, posted, renamed } from '../spec-support/toy-events';
import { as, openToyFeed, realm } from '../spec-support/toy-feed';
import { ada, general } from '../spec-support/toy-scenario';
import { Translation } from '../translation/translation';

const CHECKPOINT = `SELECT position FROM projection_checkpoints WHERE projection = 'stored_client_events' AND realm_id = $1`;
const PATIENCE_MS = 5_000;
const names = { eventTypes: ['message', 'stream'] };

const setUp = (here: ToyProcess) => here.happens(arrived(ada), opened(general), joined(general, ada));

/** Translates like a worker that has just started. */
async function translate({ kernel }: ToyProcess): Promise<void> {
  const translation = new Translation(kernel);
  await translation.catchUp();
}

async function checkpointOf({ kernel }: ToyProcess): Promise<number> {
  const { rows } = await kernel.database.pool.query<{ position: Position }>(CHECKPOINT, [realm]);
  return rows[0]?.position ?? 0;
}

/** Deletes the last translations, like a crash before their rows are on the disk. */
async function takeBack({ kernel }: ToyProcess, positions: number): Promise<void> {
  await kernel.database.transaction('BEGIN', async (client) => {
    const { rows } = await client.query<{ position: Position }>(`${CHECKPOINT} FOR UPDATE`, [realm]);
    const to = Math.max(0, (rows[0]?.position ?? 0) - positions);
    await client.query(
      `UPDATE projection_checkpoints SET position = $2 WHERE projection = 'stored_client_events' AND realm_id = $1`,
      [realm, to],
    );
    await client.query('DELETE FROM client_events WHERE realm_id = $1 AND position > $2', [realm, to]);
  });
}

/** A client that always has a poll waiting and keeps what it receives. */
class Listener {
  readonly heard: number[] = [];
  private isOver = false;

  constructor(
    private readonly at: ToyProcess,
    private readonly queue: OpenedQueue,
  ) {}

  /** Resolves when the queue is deleted. */
  async listen(): Promise<void> {
    let lastEventId = this.queue.last_event_id;
    while (!this.isOver) {
      const events = await this.at.poll(as(ada), this.queue.queue_id, lastEventId).catch((error: unknown) => {
        if (!this.isOver) throw error;
        return [];
      });
      for (const { id } of events) {
        expect(id).toBeGreaterThan(lastEventId);
        lastEventId = id;
        this.heard.push(id);
      }
    }
  }

  /** Ticks until so many events were received, or until a spec may wait no longer. */
  async has(count: number): Promise<void> {
    const giveUp = performance.now() + PATIENCE_MS;
    while (this.heard.length < count && performance.now() < giveUp) await this.at.tick();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.at.feed.dispatcher.delete(as(ada), this.queue.queue_id);
  }
}

/**
 * `notified`: of everything that exists, though a crash deleted what is not translated now before this client received
 * it.
 */
type Step =
  | { readonly kind: 'post' | 'rename' | 'crash'; readonly count: number }
  | { readonly kind: 'translate' | 'notified' | 'look' | 'register' };

const count = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('post' as const, 'rename' as const, 'crash' as const), count }),
  fc.record({ kind: fc.constantFrom('translate' as const, 'notified' as const, 'look' as const, 'register' as const) }),
);

describe('client events whose rows a crash loses', () => {
  let toy: ToyFeed;
  afterEach(() => toy.close());

  it('reach every queue once and in order, wherever crashes happen', async () => {
    toy = await openToyFeed();
    const [writer, ...apis] = [toy.first, await toy.another(), await toy.another()];
    await setUp(writer);
    const said: number[] = [];
    const run = async (steps: readonly Step[]) => {
      const began: { readonly from: number; readonly listener: Listener; readonly done: Promise<void> }[] = [];
      const register = async () => {
        const at = apis[began.length % 2] as ToyProcess;
        const listener = new Listener(at, await at.register(as(ada), names));
        began.push({ from: said.length, listener, done: listener.listen() });
      };
      await register();
      for (const { kind, ...more } of steps) {
        const times = 'count' in more ? more.count : 1;
        if (kind === 'post' || kind === 'rename') {
          const fact = kind === 'post' ? posted : renamed;
          for (let n = 0; n < times; n++) said.push(eventId(await writer.happens(fact(general, `${n}`)), 0));
        } else if (kind === 'crash') await takeBack(writer, times);
        else if (kind === 'translate') await translate(writer);
        else if (kind === 'register') await register();
        else if (kind === 'look') await Promise.all(apis.map(({ feed }) => feed.dispatcher.tick()));
        else {
          const head = (await writer.kernel.events.heads([realm])).get(realm) as Position;
          for (const { kernel } of apis) kernel.wakeUps.publish('client-events', realm, head);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      await translate(writer);
      for (const { from, listener, done } of began) {
        await listener.has(said.length - from);
        await listener.stop();
        await done;
        expect(listener.heard).toEqual(said.slice(from));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), run), {
      numRuns: 25,
      endOnFailure: true,
    });
  });
});

describe('client events of which PostgreSQL loses the rows in a crash', () => {
  const url = postgresOfItsOwn();

  it('reach a queue that received them before, and one that had still to receive them', async () => {
    const admin = new Client({ connectionString: url() });
    await admin.connect();
    // A commit that does not wait for the disk stays in memory for so long.
    await admin.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
    const toy = await openToyFeed({ adminUrl: url(), redisUrl: null });
    const [writer, api] = [toy.first, await toy.another()];
    await setUp(writer);
    const queue = await api.register(as(ada), names);
    expect(await api.take(as(ada), queue)).toEqual([]);
    let isTaken = false;
    const said: number[] = [];
    while (!isTaken) {
      const head = await onceItAnswers(() => writer.happens(renamed(general, 'meadow')));
      said.push(eventId(head, 0));
      await translate(writer);
      const signalled = new Promise((resolve) => api.kernel.wakeUps.onSignal('spec.after', resolve));
      api.kernel.wakeUps.publish('client-events', realm, head);
      api.kernel.wakeUps.signal('spec.after', realm, null);
      await signalled;
      await crash(url());
      await recovered(url());
      isTaken = (await onceItAnswers(() => checkpointOf(writer))) < head;
    }
    const listener = new Listener(api, queue);
    const done = listener.listen();
    await api.hanging(1);
    await api.feed.dispatcher.settled();
    await onceItAnswers(() => translate(writer));
    await listener.has(said.length);
    await listener.stop();
    await done;
    expect(listener.heard).toEqual(said);
    await toy.close();
  });
});
