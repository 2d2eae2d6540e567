import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';
import { until } from '../../support/push/push';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';

let server: ProcessServer;
let receiver: WebhookReceiver;
let bot: Person;
/** Its program answers with the number of the question. */
let echo: Person;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  receiver.answer = ({ body }) => ({ content: `echo of ${(JSON.parse(body) as { data: string }).data}` });
  server = await startProcesses({ env: { ...WebhookReceiver.ENV, ANNALS_WELCOME_BOT: 'on' } });
  bot = await server.bot(server.owner, { name: 'Units', type: 4, program: 'converter' });
  echo = await server.bot(server.owner, { name: 'Echo', type: 3, payload_url: receiver.url });
});
afterAll(async () => {
  await server.close();
  receiver.stop();
});

interface Sent {
  readonly content: string;
  readonly sender_id: number;
}
const ask = async (content: string, { id } = bot) =>
  granted(await server.owner.post<{ id: number }>('/messages', { type: 'direct', to: [id], content })).id;
async function answers(of = bot): Promise<string[]> {
  const narrow = [{ operator: 'dm', operand: [of.id] }];
  const params = { anchor: 'oldest', num_before: 0, num_after: 500, narrow, apply_markdown: false };
  const { messages } = granted(await server.owner.get<{ messages: Sent[] }>('/messages', params));
  return messages.flatMap(({ sender_id, content }) => (sender_id === of.id ? [content] : []));
}
const isDone = async () => {
  await server.settled();
  const left = 'SELECT FROM bot_tasks UNION ALL SELECT FROM bot_deliveries';
  return (await server.kernel.database.pool.query(left)).rowCount === 0;
};

describe('a bot of the server', () => {
  it('answers each message once, and welcomes each newcomer once, however often its workers are killed', async () => {
    const asked: string[] = [];
    const joined: Person[] = [];
    for (let n = 1; n <= 12; n++) {
      await ask(`${n} km meter`);
      await ask(String(n), echo);
      asked.push(`${n} km = ${n * 1000} meter`);
      if (n % 4 === 0) joined.push(await server.person());
      if (n % 3 !== 0) continue;
      const others = [...server.workers];
      await server.startWorker();
      for (const worker of others) await server.kill(worker);
    }
    await until(isDone);
    expect(await answers()).toEqual(asked);
    expect(await answers(echo)).toEqual(asked.map((_, n) => `echo of ${n + 1}`));
    expect(receiver.asked.length).toBeGreaterThanOrEqual(asked.length);
    const events = await server.kernel.events.page(1 as never, 0, 5_000);
    const welcomed = events.flatMap(({ type, data }) =>
      type === 'bots.UserWelcomed' ? [(data as { userId: number }).userId] : [],
    );
    expect([...welcomed].sort((a, b) => a - b)).toEqual([server.owner.id, ...joined.map(({ id }) => id)]);
  });

  it('answers what it was asked while no worker ran', async () => {
    for (const worker of [...server.workers]) await server.kill(worker);
    const before = await answers();
    await ask('1 mi km');
    await ask('2 mi km');
    await Promise.all([server.startWorker(), server.startWorker()]);
    await until(isDone);
    expect((await answers()).slice(before.length)).toEqual(['1 mi = 1.609344 km', '2 mi = 3.218688 km']);
  });
});
