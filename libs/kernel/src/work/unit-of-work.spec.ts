import type { Actor, Fact } from '../domain/index';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { Rejected, Role, accountStream, defineAggregate, fact } from '../domain/index';
import { Raised, counter, note, raise } from '../spec-support/toy-context';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';
import { Overloaded } from '../log/errors';

describe('a unit of work', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  const run = <T>(decide: Parameters<typeof toy.kernel.work.run<T>>[1]) => toy.kernel.work.run(system(), decide);
  const length = async () => (await toy.kernel.events.heads([realm])).get(realm);

  it('stores the events of all its decisions in one append, or none of them', async () => {
    await run(async (work) => {
      await work.decide(counter, 1, raise(1, 2));
      await work.decide(counter, 2, raise(2, 3));
    });
    const events = await toy.kernel.events.page(realm, 0, 10);
    expect(new Set(events.map((event) => event.commandId)).size).toBe(1);
    const refused = run(async (work) => {
      await work.decide(counter, 1, raise(1, 1));
      await work.decide(counter, 2, raise(2, 1, 3));
    });
    await expect(refused).rejects.toThrow(Rejected);
    expect(await length()).toBe(2);
  });

  it('shows a second decision the events of the first one', async () => {
    await run(async (work) => {
      await work.decide(counter, 1, raise(1, 4));
      expect(await work.read(counter, 1)).toBe(4);
      await work.decide(counter, 1, raise(1, 1, 5));
    });
    expect(await run((work) => work.read(counter, 1))).toBe(5);
  });

  it('reads several states with one query, and includes what it has decided already', async () => {
    await run((work) => work.decide(counter, 2, raise(2, 7)));
    const other = await toy.another();
    const streams = jest.spyOn(other.events, 'streams');
    const read = await other.work.run(system(), async (work) => {
      await work.decide(counter, 1, raise(1, 4));
      return work.readAll(counter, [3, 2, 1, 2]);
    });
    expect(read).toEqual([0, 7, 4, 7]);
    expect(streams.mock.calls.map(([, asked]) => asked)).toEqual([['counter-3', 'counter-2']]);
    await other.work.run(system(), (work) => work.readAll(counter, [1, 2, 3]));
    expect(streams.mock.calls.map(([, asked]) => asked).slice(1)).toEqual([[]]);
  });

  it('reads nothing of a stream that it begins, and is refused if the stream exists', async () => {
    const streams = jest.spyOn(toy.kernel.events, 'streams');
    const stream = jest.spyOn(toy.kernel.events, 'stream');
    const begin = () =>
      run(async (work) => {
        work.begins(counter, 1);
        await work.decide(counter, 1, raise(1, 4));
      });
    await begin();
    expect([...streams.mock.calls, ...stream.mock.calls]).toEqual([]);
    await expect(begin()).rejects.toThrow();
    expect(await run((work) => work.read(counter, 1))).toBe(4);
  });

  it('is stored after the one that it follows, or is decided again', async () => {
    let ahead: (overtaken: void) => void = () => undefined;
    const overtaken = new Promise<void>((resolve) => (ahead = resolve));
    const firstWork: Parameters<Parameters<typeof run>[0]>[0][] = [];
    let decided: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (decided = resolve));
    const first = run(async (work) => {
      await work.decide(counter, 1, raise(1, 1));
      await work.decide(counter, 1, raise(1, 1));
      firstWork.push(work);
      decided();
      await overtaken;
    });
    await ready;
    let attempts = 0;
    await run(async (work) => {
      await work.decide(counter, 2, raise(2, 1));
      const [earlier] = firstWork;
      if (earlier) work.follow(earlier);
      if (attempts++ === 0) return;
      ahead();
      await first;
    });
    expect(attempts).toBe(2);
    const streams = (await toy.kernel.events.page(realm, 0, 10)).map(({ stream }) => stream);
    expect(streams).toEqual(['counter-1', 'counter-1', 'counter-2']);
  });

  it('follows nothing that decides nothing', async () => {
    const followed = run(async (work) => run(async (other) => work.follow(other)));
    await expect(followed).rejects.toThrow('cannot be followed');
  });

  it('depends on all states that it read together', async () => {
    let attempts = 0;
    const seen = await run(async (work) => {
      const [, second] = await work.readAll(counter, [1, 2]);
      if (attempts++ === 0)
        await (await toy.another()).work.run(system(), (rival) => rival.decide(counter, 2, raise(2, 5)));
      await work.decide(counter, 3, raise(3, 1));
      return second;
    });
    expect({ attempts, seen }).toEqual({ attempts: 2, seen: 5 });
  });

  it('does not depend on a state at which it only peeked', async () => {
    let attempts = 0;
    await run(async (work) => {
      const before = await work.peek(counter, 1);
      attempts += 1;
      await (await toy.another()).work.run(system(), (rival) => rival.decide(counter, 1, raise(1, 5)));
      work.append(counter.stream(1), raise(1, 1)(before));
      expect(await work.peek(counter, 1)).toBe(before);
    });
    expect(attempts).toBe(1);
    expect(await run((work) => work.read(counter, 1))).toBe(6);
  });

  it('writes nothing when nothing was decided', async () => {
    expect(await run(async () => 'done')).toBe('done');
    expect(await length()).toBe(0);
  });

  it('repeats the decisions of contending commands until each is stored', async () => {
    const other = await toy.another();
    const attempts = Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? other : toy.kernel).work.run(system(), (work) => work.decide(counter, 1, raise(1, 1, 25))),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(25);
    expect(await run((work) => work.read(counter, 1))).toBe(25);
  });

  it('refuses after five seconds of conflicts, and says that trying again may help', async () => {
    let elapsed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (elapsed += 2_000));
    const losing = run(async (work) => {
      await work.decide(counter, 1, raise(1, 1));
      await rival();
    });
    await expect(losing).rejects.toThrow(Overloaded);
    jest.restoreAllMocks();
  });

  const rival = async () => {
    const facts: Fact[] = [fact(Raised, { counter: 1, by: 1 })];
    await toy.kernel.work.run(system(), async (work) => work.append('counter-1', facts));
  };

  it('knows no id before it is stored', async () => {
    await run(async (work) => {
      const opened = work.open('note', note('x'));
      expect(() => opened.id).toThrow('after the append');
    });
  });

  describe('of an account', () => {
    const actor = (version: number): Actor => ({
      realmId: realm,
      userId: 5 as Actor['userId'],
      role: Role.member,
      botType: null,
      botOwnerId: null,
      groups: new Set(),
      version,
      canCreateUsers: false,
      canChangeUserEmails: false,
      origin: { ...system().origin, address: '192.0.2.7' },
    });

    it('depends on the account: when it changed meanwhile, the actor is read again', async () => {
      await run(async (work) => work.append(accountStream(actor(0).userId), [note('the account')]));
      toy.kernel.useActors({ refresh: async () => actor(1) });
      const versions: number[] = [];
      await toy.kernel.work.run(actor(0), async (work) => {
        versions.push(work.actor.version);
        work.open('note', note('mine'));
      });
      expect(versions).toEqual([0, 1]);
    });

    it('does not decide with rights older than the account it has loaded', async () => {
      const account = defineAggregate<number, Fact, number>('user', 0, (n) => n + 1);
      await run(async (work) => work.append(accountStream(actor(0).userId), [note('demoted')]));
      toy.kernel.useActors({ refresh: async () => actor(1) });
      const versions: number[] = [];
      await toy.kernel.work.run(actor(0), async (work) => {
        versions.push(work.actor.version);
        await work.decide(account, actor(0).userId, () => [note('mine')]);
      });
      expect(versions).toEqual([0, 1]);
    });

    it('is refused when the account may no longer act', async () => {
      await run(async (work) => work.append(accountStream(actor(0).userId), [note('gone')]));
      toy.kernel.useActors({
        refresh: async () => {
          throw new Rejected('USER_DEACTIVATED', 'Account is deactivated');
        },
      });
      const acting = toy.kernel.work.run(actor(0), async (work) => work.open('note', note('mine')));
      await expect(acting).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
      expect(await length()).toBe(1);
    });

    it('keeps the address of the request sealed, beside the text', async () => {
      toy.kernel.useActors({ refresh: async (same) => same });
      await toy.kernel.work.run(actor(0), async (work) => work.open('note', note('mine')));
      const { rows } = await toy.kernel.database.pool.query<{ data: string; sealed: string }>(
        'SELECT data, sealed FROM events',
      );
      expect(rows.map((row) => [row.data, row.sealed])).toEqual([
        ['{"about":null,"length":4}', '{"address":"192.0.2.7","words":{"text":"mine"}}'],
      ]);
    });
  });
});
