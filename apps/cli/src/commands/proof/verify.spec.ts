import { SignedLog } from '../../spec-support/signed-log';
import { verify } from './verify';

describe('annals verify, after the end of the log was cut off', () => {
  let log: SignedLog;
  let head: number;
  beforeEach(async () => {
    log = await SignedLog.open();
    head = await log.head();
  });
  afterEach(() => log.close());

  const verified = () => verify(log.kernel, {}, log.print);

  it('reports it also when the row of the head is missing', async () => {
    expect(await verified()).toBe(0);
    log.lines.splice(0);
    await log.tamper(
      `DELETE FROM events WHERE position > ${head - 1}`,
      `UPDATE realm_heads SET position = ${head - 1}`,
    );
    expect(await verified()).toBe(1);
    expect(log.lines.join()).toMatch(`broken at position ${head}: the log ends at ${head - 1}, but the table view_`);
    expect(log.lines.join()).toMatch(`knows ${head} (the ${head - 1} events before it are intact)`);
  });

  it('reports what only a client queue knows', async () => {
    await log.tamper(
      `INSERT INTO client_queues VALUES (1, gen_random_uuid(), 1, 2, '{}', ${(head + 3) * 65_536 + 5}, 1, 0)`,
    );
    expect(await verified()).toBe(1);
    expect(log.lines.join()).toMatch(`the log ends at ${head}, but a client queue knows ${head + 3}`);
  });

  it('checks an organization without the row of its head', async () => {
    await log.tamper('DELETE FROM realm_heads');
    expect(await verified()).toBe(1);
    expect(log.lines.join()).toMatch(/broken at position 1: the log ends at 0, but the table events knows/);
  });
});
