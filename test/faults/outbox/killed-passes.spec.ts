import { granted } from '../../support/server/caller';
import type { HeldCommit } from '../../support/faults/postgres-proxy';
import { PostgresProxy } from '../../support/faults/postgres-proxy';
import { MailServer } from '../../support/mail/mail-server';
import { sentMail } from '../../support/mail/outbox';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';
import { until } from '../../support/push/push';
import { picture } from '../../support/requests/pictures';
import { uploadFile } from '../../support/requests/uploads';
import type { Person } from '../../support/server/organization';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';

/**
 * Scheduled messages and notifications are killed in specs of their own (`scheduling.spec.ts`, `push.spec.ts`), as are
 * mails that the mail server has and images during whose decoding workers die.
 */
let mail: MailServer;
let web: WebhookReceiver;
let server: ProcessServer;
let proxy: PostgresProxy;
let bot: Person;
let reader: Person;
let causes = 0;
beforeAll(async () => {
  [mail, web] = [await MailServer.start(), await WebhookReceiver.start()];
  web.answer = () => '<head><title>Cats</title></head>';
  web.headers = { 'content-type': 'text/html' };
  server = await startProcesses({ workers: 0, env: { ...mail.env, ...WebhookReceiver.ENV } });
  proxy = await PostgresProxy.open(server.env['DATABASE_URL'] ?? '');
  bot = await server.bot(server.owner, { name: 'Units', type: 4, program: 'converter' });
  reader = await server.person();
  granted(await server.owner.patch('/realm', { inline_url_embed_preview: true }));
  // A worker that starts on a log without its key adds one to it.
  await startWorker();
  await server.settled();
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  web.stop();
  await mail.stop();
});

/** Workers reach PostgreSQL through a proxy at which a statement can be held. */
const startWorker = () => server.startWorker({ DATABASE_URL: proxy.url });
const killAll = () => Promise.all(server.workers.map((worker) => server.kill(worker)));
const query = (sql: string, values: unknown[] = []) => server.kernel.database.pool.query<{ id: number }>(sql, values);

/** How many events of a type name something by its id. */
async function events(type: string, field: string, id: number): Promise<number> {
  const { rowCount } = await query('SELECT FROM events WHERE type = $1 AND data ->> $2::text = $3', [
    ...[type, field, String(id)],
  ]);
  return rowCount ?? 0;
}
async function say(to: Person, content: string): Promise<number> {
  return granted(await server.owner.post<{ id: number }>('/messages', { type: 'direct', to: [to.id], content })).id;
}
/** How many different mails to an address have a text. A mail that is repeated is the same one. */
async function mailsTo(address: string, text: string): Promise<number> {
  const all = await Promise.all(
    mail.received.filter(({ envelope }) => envelope.to.includes(address)).map(({ raw }) => sentMail(raw)),
  );
  return new Set(all.filter((one) => one.text.includes(text)).map(({ messageId }) => messageId)).size;
}

/** Work that sweeps of workers find, and how often it was done. */
interface DueWork {
  /** Causes it. @returns how often it was done since */
  cause(n: number): Promise<() => Promise<number>>;
  /** Queries whose rows are what is left to do. */
  readonly left: string;
  /** A statement that ends the leases of dead processes. */
  readonly endLeases?: string;
  /** A statement after which it need not be waited for. */
  readonly fallDue?: string;
}

const answers: DueWork = {
  async cause(n) {
    await say(bot, `${n} km meter`);
    const narrow = [{ operator: 'dm', operand: [bot.id] }];
    const params = { anchor: 'oldest', num_before: 0, num_after: 500, narrow, apply_markdown: false };
    return async () => {
      const { messages } = granted(await server.owner.get<{ messages: { content: string }[] }>('/messages', params));
      return messages.filter(({ content }) => content === `${n} km = ${n * 1_000} meter`).length;
    };
  },
  left: 'SELECT FROM bot_tasks',
};

const previews: DueWork = {
  async cause(n) {
    const id = await say(reader, `${(JSON.parse(web.url) as string) + String(n)}`);
    return () => events('messages.LinksPreviewed', 'messageId', id);
  },
  left: 'SELECT FROM link_preview_tasks',
  endLeases: 'UPDATE link_preview_tasks SET due_at = 0',
};

const thumbnails: DueWork = {
  async cause(n) {
    await uploadFile(server.owner, await picture('png'), { name: `${n}.png`, type: 'image/png' });
    const { rows } = await query('SELECT max(file_id) AS id FROM view.file_images');
    return () => events('files.ThumbnailsMade', 'fileId', rows[0]?.id ?? 0);
  },
  left: `SELECT FROM view.file_images WHERE state = 'awaited' UNION ALL SELECT FROM image_attempts`,
  endLeases: 'UPDATE image_attempts SET leased_until = 0',
};

const invitations: DueWork = {
  async cause(n) {
    const address = `guest${n}@mail.example.com`;
    granted(await server.owner.post('/invites', { invitee_emails: address, stream_ids: [] }));
    return () => mailsTo(address, '');
  },
  left: `SELECT FROM mail_tasks WHERE done_at IS NULL AND kind = 'invitation'`,
  // The outbox also has reminders, which are due in days.
  endLeases: `UPDATE mail_tasks SET due_at = 0 WHERE done_at IS NULL AND kind = 'invitation'`,
};

const missed: DueWork = {
  async cause(n) {
    const person = await server.person();
    await say(person, `missed ${n}`);
    return () => mailsTo(person.email, `missed ${n}`);
  },
  left: `SELECT FROM email_tasks UNION ALL SELECT FROM missed_messages AS m WHERE m.batch IS NULL
    UNION ALL SELECT FROM mail_tasks WHERE done_at IS NULL AND kind = 'missed-messages'`,
  endLeases: 'UPDATE email_tasks SET due_at = 0',
  fallDue: 'UPDATE missed_messages SET due_at = 0 WHERE batch IS NULL',
};

/** When a worker dies: at a statement of that name, or at the commit of what it appends, which has been done or not. */
interface Death {
  readonly at: string;
  readonly isDone: boolean;
}
const taking = (at: string): Death => ({ at, isDone: true });
const noting = (at: string): Death => ({ at, isDone: false });
const COMMIT = 'lane-commit';

const CASES: readonly [what: string, when: string, work: DueWork, death: Death][] = [
  ['an answer of a bot', 'after it has read the task', answers, taking('bots-due-tasks')],
  ['an answer of a bot', 'just before it commits the answer', answers, { at: COMMIT, isDone: false }],
  ['an answer of a bot', 'after the answer, before it notes that', answers, noting('bots-complete-task')],
  ['a link preview', 'after it has leased the task', previews, taking('messages-lease-preview-tasks')],
  ['a link preview', 'just before it commits the preview', previews, { at: COMMIT, isDone: false }],
  ['a link preview', 'after the preview, before it notes that', previews, noting('messages-end-preview-task')],
  ['a thumbnail', 'after it has leased the image', thumbnails, taking('files-image-attempt')],
  ['a thumbnail', 'just before it commits what it has stored', thumbnails, { at: COMMIT, isDone: false }],
  ['a thumbnail', 'after it was committed, before the answer', thumbnails, { at: COMMIT, isDone: true }],
  ['a mail', 'after it has leased the task', invitations, taking('mail-lease-task')],
  ['a mail', 'after the mail server has it, before it notes that', invitations, noting('mail-complete-task')],
  ['a mail about a missed message', 'after it has leased the task', missed, taking('email-lease-tasks')],
  ['a mail about a missed message', 'after it found who missed it', missed, noting('email-complete-task')],
  ['a mail about a missed message', 'while it puts messages into mails', missed, noting('email-batch-missed')],
];

describe('a worker that is killed in a pass', () => {
  it.each(CASES)('loses and doubles nothing: %s, %s', async (_what, _when, work, { at, isDone }) => {
    if (server.workers.length === 0) await startWorker();
    const fault = async (held: HeldCommit) => {
      if (isDone) await held.reach();
      await killAll();
    };
    const struck = at === COMMIT ? proxy.atNextCommit(fault) : proxy.atNextStatement(at, fault);
    let isStruck = false;
    void struck.then(() => (isStruck = true));
    const timesDone = await work.cause((causes += 1));
    const hasDied = async () => {
      if (work.fallDue) await query(work.fallDue);
      return isStruck;
    };
    await until(hasDied);
    if (work.endLeases) await query(work.endLeases);
    await startWorker();
    const isAllDone = async () => {
      await server.settled();
      if (work.fallDue) await query(work.fallDue);
      return (await query(work.left)).rowCount === 0;
    };
    await until(isAllDone);
    expect(await timesDone()).toBe(1);
  });
});
