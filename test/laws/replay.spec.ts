import { startGoldenServer } from '../golden/golden-server';
import { everythingHappens } from '../golden/scenario';
import { ReferenceBouncer } from '../support/push/bouncer';
import { brokenLaws } from '../support/laws/laws';
import type { TestServer } from '../support/server/server';

describe('the laws of a log', () => {
  let bouncer: ReferenceBouncer;
  let server: TestServer;
  beforeEach(async () => {
    bouncer = await ReferenceBouncer.start();
    server = await startGoldenServer(bouncer);
  });
  afterEach(async () => {
    await server.end();
    await bouncer.stop();
  });

  const change = (sql: string) => server.kernel.database.pool.query(sql);

  it('hold after everything that can happen', async () => {
    await everythingHappens(server, bouncer);
    const { rows } = await change('SELECT DISTINCT type FROM events ORDER BY 1');
    expect(rows.map(({ type }: { type: string }) => type)).toEqual([...server.kernel.registry.types].sort());
    await server.settled();
    expect(await brokenLaws(server.kernel)).toEqual([]);
  });

  it('notice a row that the log does not give', async () => {
    await change(
      `UPDATE view.users SET full_name = 'Somebody Else' WHERE realm_id = 1 AND user_id = ${server.owner.id}`,
    );
    const tampered = { table: 'users', different: 1, onlyLive: 0, onlyOther: 0 };
    expect(await brokenLaws(server.kernel)).toEqual([expect.objectContaining(tampered)]);
    await expect(server.ensureLaws()).rejects.toThrow('laws do not hold');
  });

  it('notice a client event that translating the log does not give, and one that is missing', async () => {
    await server.settled();
    const { rows } = await change(
      'UPDATE client_events SET at = at + 1 WHERE (position, k) = (SELECT max(position), 0 FROM client_events) RETURNING at',
    );
    const [{ at }] = rows as [{ at: number }];
    expect(await brokenLaws(server.kernel)).toEqual([
      { missing: expect.objectContaining({ at: at - 1 }) as object },
      { added: expect.objectContaining({ at }) as object },
    ]);
  });

  it('notice a stored event that is not what was written', async () => {
    await change('ALTER TABLE events DISABLE TRIGGER USER');
    await change(`UPDATE events SET causation = '1:1' WHERE realm_id = 1 AND position = 10`);
    expect(await brokenLaws(server.kernel)).toEqual([
      { realmId: 1, position: 10, what: 'its content does not match its hash' },
    ]);
  });

  it('notice a follower that stopped at an event', async () => {
    await server.settled();
    await change(`INSERT INTO parked_events (realm_id, projection, generation, position, error, parked_at)
      SELECT 1, name, generation, 20, 'cannot take it', 0 FROM projections WHERE name = 'stored_client_events'`);
    expect(await brokenLaws(server.kernel)).toEqual([
      { projection: 'stored_client_events', position: 20, error: 'cannot take it' },
    ]);
  });
});
