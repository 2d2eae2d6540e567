import type { RealmId } from '../../domain/index';
import { note } from '../../spec-support/toy-context';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { openToyKernel, system } from '../../spec-support/toy-kernel';

/** Limit of a statement of an append that is written beside the lane. */
const LIMIT_MS = 3_000;
/** No other append waits longer. */
const OTHERS_MS = 1_000;

describe('an append that takes too long', () => {
  let toy: ToyKernel;
  beforeEach(async () => {
    toy = await openToyKernel({ realms: 4, statementTimeoutMs: LIMIT_MS });
    await toy.kernel.database.pool.query(`
      CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON view.toy_notes FOR EACH ROW WHEN (NEW.text = 'slow') EXECUTE FUNCTION doze()`);
  });
  afterEach(() => toy.close());

  /** Writes a note. @returns how long that took, in ms */
  async function write(id: number, text: string): Promise<number> {
    const began = performance.now();
    await toy.kernel.work.run(system(id as RealmId), async (work) => work.open('note', note(text)));
    return performance.now() - began;
  }

  /** Writes in three realms again and again until something has ended. @returns the longest wait of one of them */
  async function longestMeanwhile(something: Promise<unknown>): Promise<number> {
    let isOver = false;
    let longest = 0;
    void something.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    const writing = [2, 3, 4].map(async (id) => {
      for (let n = 0; !isOver; n += 1) longest = Math.max(longest, await write(id, `quick ${n}`));
    });
    await Promise.all(writing);
    return longest;
  }

  /** How long one append waits on this machine as it is now. */
  const usual = () => longestMeanwhile(Promise.all(Array.from({ length: 20 }, (_, n) => write(1, `before ${n}`))));

  it('is refused within twice the limit, and no other append waits longer than a second', async () => {
    const before = await usual();
    const began = performance.now();
    const slow = write(1, 'slow');
    const longest = await longestMeanwhile(slow);
    await expect(slow).rejects.toMatchObject({ name: 'Overloaded', cause: { code: '57014' } });
    expect(performance.now() - began).toBeLessThan(2 * LIMIT_MS + before);
    expect(longest).toBeLessThan(OTHERS_MS + before);
  });

  it('because its organization is locked delays no append of another one, and is stored', async () => {
    const before = await usual();
    let held: Promise<number> = Promise.resolve(0);
    const longest = await toy.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('SELECT FROM realm_heads WHERE realm_id = 1 FOR UPDATE');
      held = write(1, 'held');
      return longestMeanwhile(Promise.all(Array.from({ length: 200 }, (_, n) => write(2 + (n % 3), `more ${n}`))));
    });
    expect(longest).toBeLessThan(OTHERS_MS + before);
    await held;
  });
});
