import { granted } from '../../support/server/caller';
import { MailServer } from '../../support/mail/mail-server';
import { sentMail } from '../../support/mail/outbox';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';
import { until } from '../../support/push/push';

let mail: MailServer;
let server: ProcessServer;
let invited = 0;
beforeAll(async () => {
  mail = await MailServer.start();
  server = await startProcesses({ env: mail.env });
});
beforeEach(() => mail.behaves('accepts'));
afterAll(async () => {
  await server.close();
  await mail.stop();
});

/** Invites somebody by mail. @returns the address */
async function invite(): Promise<string> {
  const address = `guest${(invited += 1)}@mail.example.com`;
  granted(await server.owner.post('/invites', { invitee_emails: address, stream_ids: [] }));
  return address;
}
const receivedBy = (address: string) => mail.received.filter(({ envelope }) => envelope.to.includes(address));
const allKilled = () => Promise.all(server.workers.map((worker) => server.kill(worker)));
/** Dead processes have had their leases long enough. */
const timeIsUp = () =>
  server.kernel.database.pool.query(`UPDATE mail_tasks SET due_at = 0 WHERE done_at IS NULL AND kind = 'invitation'`);
async function outboxEmpty(): Promise<void> {
  const isEmpty = async () => {
    const { rows } = await server.kernel.database.pool.query(
      `SELECT FROM mail_tasks WHERE done_at IS NULL AND kind = 'invitation'`,
    );
    return rows.length === 0;
  };
  await until(
    isEmpty,
    () => undefined,
    () => 'mails are left in the outbox',
  );
}
async function restarted(): Promise<void> {
  await allKilled();
  mail.behaves('accepts');
  await timeIsUp();
  await server.startWorker();
}

describe('a mail', () => {
  it('is sent once, although no worker ran for a while, and by several workers', async () => {
    await allKilled();
    const addresses = [await invite(), await invite(), await invite()];
    await Promise.all([server.startWorker(), server.startWorker()]);
    await until(() => addresses.every((address) => receivedBy(address).length > 0));
    await outboxEmpty();
    expect(addresses.map((address) => receivedBy(address).length)).toEqual([1, 1, 1]);
  });

  it('is sent once if its worker dies before the mail server has it', async () => {
    mail.behaves('defers');
    const address = await invite();
    const wasTried = async () => {
      const { rows } = await server.kernel.database.pool.query(
        `SELECT FROM mail_tasks WHERE attempts > 0 AND kind = 'invitation'`,
      );
      return rows.length > 0;
    };
    await until(wasTried);
    await restarted();
    await until(() => receivedBy(address).length > 0);
    await outboxEmpty();
    expect(receivedBy(address)).toHaveLength(1);
  });

  it('is sent again, as the same mail, only if its worker dies between the acceptance and the note of it', async () => {
    mail.behaves('is mute');
    const address = await invite();
    await until(() => receivedBy(address).length > 0);
    await restarted();
    await until(() => receivedBy(address).length > 1);
    await outboxEmpty();
    const ids = await Promise.all(receivedBy(address).map(async ({ raw }) => (await sentMail(raw)).messageId));
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });
});
