import type { Kernel } from '@annals/kernel';
import type { Actor, Instant, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { RealmFacts } from '@annals/realm';
import type { OwnSettingsFacts, UserFacts } from '@annals/users';
import type { PresenceOwner, PresenceRow } from '../read/presence-rows';
import { Presences } from './presences';
import { UpdatePresence, UpdatePresenceHandler } from './update-presence';

const REALM = 1 as RealmId;
const [ANN, BOB] = [5, 6] as [UserId, UserId];
const NOW = 2_000 as Instant;
const PRESENCE = { activeAt: NOW, connectedAt: NOW };
const rowOf = (userId: UserId): PresenceRow => ({ realmId: REALM, userId, ...PRESENCE, updateId: 1 });

/** A table whose next statement of a name waits. */
class SlowTable {
  readonly deleted: unknown[] = [];
  readonly batches: unknown[] = [];
  /** What a read finds. */
  rows: readonly PresenceRow[] = [];
  private slow: { readonly name: string; readonly wait: () => Promise<void> } | null = null;

  /** Runs `meanwhile` while the act waits for its next statement of this name. */
  async during(name: string, act: () => Promise<unknown>, meanwhile: () => void): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun = new Promise<void>((resolve) => {
      this.slow = { name, wait: () => (resolve(), ended) };
    });
    const done = act();
    await begun;
    meanwhile();
    end();
    await done;
  }

  readonly query = async ({ name, values }: { name: string; values: unknown[] }) => {
    const { rows } = this;
    if (name === 'presence-delete') this.deleted.push(values[1]);
    if (name === 'presence-write') this.batches.push(values[1]);
    const { slow } = this;
    if (slow?.name === name) {
      this.slow = null;
      await slow.wait();
    }
    if (name === 'presence-write') return { rows: (values[1] as UserId[]).map(rowOf) };
    return { rows: name === 'presence-after' ? rows : [] };
  };
}

/** Presences over a slow table, with what happens in the log. */
function start() {
  const table = new SlowTable();
  let follow = (_realmId: RealmId, _events: readonly Recorded[]): void => undefined;
  const signals = { send: jest.fn() };
  const kernel = {
    ...{ isPast: false, signals, database: { pool: table }, clock: { now: () => NOW } },
    tail: { listen: (listener: typeof follow) => (follow = listener) },
  } as unknown as Kernel;
  const presences = new Presences(kernel);
  const leave = (userId: UserId) =>
    follow(REALM, [{ type: 'users.Deactivated', data: { userId } } as unknown as Recorded]);
  const ping = new UpdatePresenceHandler(
    kernel,
    { of: () => Promise.resolve({ settings: { presence_disabled: false } }) } as unknown as RealmFacts,
    { account: () => Promise.resolve({ joinedAt: NOW, isActive: true }) } as unknown as UserFacts,
    { of: () => Promise.resolve({ presence_enabled: true }) } as unknown as OwnSettingsFacts,
    presences,
  );
  const shown = async (userId: UserId) => (await presences.of(REALM)).of(userId);
  return { table, presences, leave, ping, shown, signals };
}

const by = (userId: UserId) => ({ realmId: REALM, userId }) as PresenceOwner as Actor;

describe('a user who leaves does not come back', () => {
  it('when their ping is written meanwhile, and the row is deleted then', async () => {
    const { table, presences, leave, shown } = start();
    (await presences.of(REALM)).ping(ANN, PRESENCE);
    await table.during(
      'presence-write',
      () => presences.write(),
      () => leave(ANN),
    );
    expect(await shown(ANN)).toBeUndefined();
    await presences.write();
    await presences.write();
    expect(table.deleted).toEqual([[ANN]]);
  });

  it('when the table is read meanwhile', async () => {
    const { table, presences, leave, shown } = start();
    table.rows = [rowOf(ANN), rowOf(BOB)];
    await table.during(
      'presence-after',
      () => presences.of(REALM),
      () => leave(ANN),
    );
    expect(await shown(ANN)).toBeUndefined();
    expect(await shown(BOB)).toMatchObject(PRESENCE);
  });

  it('when they ping meanwhile', async () => {
    const { table, leave, ping, shown, signals } = start();
    const act = () => ping.execute(new UpdatePresence(by(ANN), 'active'));
    await table.during('presence-after', act, () => leave(ANN));
    expect(await shown(ANN)).toBeUndefined();
    expect(signals.send).not.toHaveBeenCalled();
  });

  it('when others leave while rows are deleted', async () => {
    const { table, presences, leave } = start();
    leave(ANN);
    await table.during(
      'presence-delete',
      () => presences.write(),
      () => leave(BOB),
    );
    await presences.write();
    await presences.write();
    expect(table.deleted).toEqual([[ANN], [BOB]]);
  });
});

describe('a batch', () => {
  it('waits for the one that is being written', async () => {
    const { table, presences, ping } = start();
    await ping.execute(new UpdatePresence(by(ANN), 'active'));
    let second = Promise.resolve();
    await table.during(
      'presence-write',
      () => presences.write(),
      () => void (second = presences.write()),
    );
    await second;
    expect(table.batches).toEqual([[ANN]]);
  });

  it('is written again with the next one when it fails', async () => {
    const { table, presences, ping } = start();
    await ping.execute(new UpdatePresence(by(ANN), 'active'));
    const fail = () => Promise.reject(new Error('no connection'));
    const query = jest.spyOn(table, 'query').mockImplementationOnce(fail);
    await expect(presences.write()).rejects.toThrow('no connection');
    query.mockRestore();
    await presences.write();
    expect(table.batches).toEqual([[ANN]]);
  });
});
