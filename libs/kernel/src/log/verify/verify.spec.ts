import type { Position } from '../../domain/index';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { counter, note, raise } from '../../spec-support/toy-context';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import { EventLog } from '../event-log';
import { realmsKnown } from './known-positions';
import { verifyLog } from './verify';

describe('the log', () => {
  let toy: ToyKernel;
  beforeAll(async () => {
    toy = await openToyKernel();
    for (let n = 1; n <= 5; n++) {
      await toy.kernel.work.run(system(), async (work) => {
        work.open('note', note(`note ${n}`));
        await work.decide(counter, 1, raise(1, n));
      });
    }
  });
  afterAll(() => toy.close());

  const sql = (text: string) => toy.kernel.database.pool.query(text);
  const verify = () => verifyLog(toy.kernel.events, toy.kernel.database.pool, realm);

  it.each([
    ['UPDATE', `UPDATE events SET client = 'other' WHERE position = 3`],
    ['UPDATE', `UPDATE events SET sealed = '{"words":{"text":"other"}}' WHERE position = 3`],
    ['UPDATE', `UPDATE events SET sealed = NULL, salt = NULL, at = 0 WHERE position = 3`],
    ['DELETE', 'DELETE FROM events WHERE position = 10'],
    ['TRUNCATE', 'TRUNCATE events'],
  ])('refuses to be rewritten by %s: %s', async (_, statement) => {
    await expect(sql(statement)).rejects.toThrow('the log is append-only');
  });

  it('is intact when nothing changed it', async () => {
    expect(await verify()).toEqual({ realmId: realm, events: 10, erased: 0, roots: 0, failure: null });
  });

  it('remains intact when a sealed part is erased, and counts the erased ones', async () => {
    await sql('UPDATE events SET sealed = NULL, salt = NULL WHERE position = 1');
    expect(await verify()).toEqual({ realmId: realm, events: 10, erased: 1, roots: 0, failure: null });
    const [event] = await toy.kernel.events.at(realm, [1]);
    expect(event?.sealed).toBe('erased');
  });

  describe('with its triggers disabled by a superuser', () => {
    it.each([
      ['a changed fact', `UPDATE events SET data = '{"about":null,"length":99}' WHERE position = 3`, 3, 'hash'],
      ['a changed actor', 'UPDATE events SET actor_id = 99 WHERE position = 4', 4, 'hash'],
      ['changed words', `UPDATE events SET sealed = '{"words":{"text":"lie"}}' WHERE position = 5`, 5, 'commitment'],
      ['words that went without their salt', 'UPDATE events SET sealed = NULL WHERE position = 5', 5, 'salt'],
      ['a hash of another length', `UPDATE events SET leaf_hash = '\\x00' WHERE position = 3`, 3, 'hash'],
      ['no hash', `UPDATE events SET leaf_hash = '' WHERE position = 3`, 3, 'hash'],
      ['a commitment of another length', `UPDATE events SET commitment = '\\x00' WHERE position = 5`, 5, 'hash'],
      ['no commitment', 'UPDATE events SET commitment = NULL WHERE position = 5', 5, 'hash'],
      ['a dropped event', 'DELETE FROM events WHERE position = 6', 6, 'missing'],
      ['a dropped last event', 'DELETE FROM events WHERE position = 10', 10, 'missing'],
      ['a dropped page', 'DELETE FROM events', 1, 'missing'],
      [
        'swapped events',
        'UPDATE events SET position = 11 - position + 1000 WHERE position IN (5, 6); UPDATE events SET position = position - 1000 WHERE position > 1000',
        5,
        'hash',
      ],
      ['time that goes back', 'UPDATE events SET at = 1 WHERE position = 7', 7, 'time'],
    ])('shows the first position of %s', async (_, tampering, position, what) => {
      const { kernel } = toy;
      await kernel.database
        .transaction('BEGIN', async (client) => {
          await client.query(`SET LOCAL session_replication_role = replica`);
          await client.query(tampering);
          const { failure } = await verifyLog(new EventLog(client, kernel.registry), client, realm);
          expect(failure).toMatchObject({ position });
          expect(failure?.what).toContain(what);
          throw new Error('taken back');
        })
        .catch((error: Error) => expect(error.message).toBe('taken back'));
    });

    const CUT = ['DELETE FROM events WHERE position > 8', 'UPDATE realm_heads SET position = 8'];
    const UNNOTED = 'DELETE FROM view.toy_notes WHERE last_position > 8';
    const FOLLOWED = `INSERT INTO projection_checkpoints VALUES (1, 'search', 1, 9, 'running', 0), (1, 'audit', 1, 4, 'running', 0)`;

    it.each([
      ['the head alone', CUT.slice(1), 'the table events knows 10'],
      ['what read models were made of', CUT, 'the table view_toy_notes_1.toy_notes knows 9'],
      ['what somebody has followed', [...CUT, UNNOTED, FOLLOWED], 'the follower search knows 9'],
      ['what is kept beside it', [...CUT, UNNOTED], 'a client queue knows 12', 12],
      ['what nobody else knows of', [...CUT, UNNOTED], undefined],
      ['the row of the head', ['DELETE FROM realm_heads'], 'the table events knows 10', 0, 0],
    ])('shows that its end is missing, with %s', async (_, tampering, known, kept = 0, end = 8) => {
      const { kernel } = toy;
      const beside = [async () => ({ who: 'a client queue', position: kept as Position })];
      const tampered = kernel.database.transaction('BEGIN', async (client) => {
        await client.query(`SET LOCAL session_replication_role = replica`);
        for (const statement of tampering) await client.query(statement);
        const { failure } = await verifyLog(new EventLog(client, kernel.registry), client, realm, { beside });
        expect(failure?.what).toBe(known && `the log ends at ${end}, but ${known}`);
        expect(failure?.position).toBe(known && end + 1);
        expect(await realmsKnown(client)).toEqual([realm]);
        throw new Error('taken back');
      });
      await expect(tampered).rejects.toThrow('taken back');
    });
  });
});
