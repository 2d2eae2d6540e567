import { ConsumerCaller } from '../../../../test/support/consumers/consumer-caller';
import { runCli } from '../../../../test/support/processes/cli';
import { granted } from '../../../../test/support/server/caller';
import type { Person } from '../../../../test/support/server/organization';
import type { ServerWithUsers } from '../../../../test/support/server/start-with-users';
import { startWithUsers } from '../../../../test/support/server/start-with-users';
import { openKernel } from '../../../shared/src/open-kernel';
import { readSettings } from '../../../shared/src/settings';
import { tailConsumer } from './tail-consumer';

let users: ServerWithUsers;
let owner: Person;
beforeAll(async () => {
  users = await startWithUsers();
  ({ owner } = users);
});
afterAll(() => users.server.close());

const send = async (content: string) =>
  `1/${granted(await owner.post<{ id: number }>('/messages', { type: 'direct', to: [owner.id], content })).id}`;
const consumer = (name: string, view = 'domain') =>
  ConsumerCaller.created(owner, name, view === 'domain' ? { types: ['messages.MessageSent'] } : { view });
const ids = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { id: string }).id);

interface Ending {
  readonly once?: boolean;
  /** Lines after which the operator stops it. */
  readonly stopAfter?: number;
  /** The line at which the reader closes the output. */
  readonly closeAt?: number;
}

/** Runs the command in this process, on a kernel that it closes. */
async function tailed(name: string, { once = true, stopAfter, closeAt }: Ending = {}): Promise<string[]> {
  const lines: string[] = [];
  const [stopping, closing] = [new AbortController(), new AbortController()];
  const write = async (line: string) => {
    lines.push(line);
    if (lines.length === stopAfter) stopping.abort();
    if (lines.length === closeAt) closing.abort();
  };
  const settings = readSettings({ DATABASE_URL: users.server.databaseUrl, ANNALS_LOG_LEVEL: 'error' });
  const kernel = await openKernel(settings, { poolSize: 4 });
  const output = { write, stopped: stopping.signal, closed: closing.signal };
  await tailConsumer(kernel, settings, { consumer: name, realm: undefined, once }, output);
  return lines;
}

describe('annals tail --consumer', () => {
  it('prints the next events of a consumer as CloudEvents, and the next run continues after them', async () => {
    const it = await consumer('tailed');
    const sent = [await send('one'), await send('two')];
    const lines = await tailed('tailed');
    expect(ids(lines)).toEqual(sent);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      specversion: '1.0',
      type: expect.stringMatching(/^annals\.messages\.MessageSent\.v\d+$/) as string,
    });
    expect(await it.shown()).toMatchObject({ in_flight: 0, lag: { events: 0 } });
    sent.push(await send('three'));
    expect(ids(await tailed('tailed'))).toEqual(sent.slice(2));
  });

  it('waits for more until it is stopped, and then prints what it has got', async () => {
    const it = await consumer('waiting');
    const tailing = tailed('waiting', { once: false, stopAfter: 1 });
    const first = await send('first');
    expect(ids(await tailing)).toEqual([first]);
    const rest = [await send('second'), await send('third')];
    expect(ids(await tailed('waiting', { once: false, stopAfter: 1 }))).toEqual(rest);
    expect(await it.shown()).toMatchObject({ in_flight: 0, lag: { events: 0 } });
  });

  it('acknowledges nothing from the line on at which its reader closes the output', async () => {
    const it = await consumer('closed');
    for (const content of ['one', 'two', 'three']) await send(content);
    expect(await tailed('closed', { closeAt: 2 })).toHaveLength(2);
    expect(await it.shown()).toMatchObject({ in_flight: 2 });
  });

  it('prints client events of the owner of the consumer', async () => {
    await consumer('client-view', 'client');
    const sent = await send('to me');
    const events = (await tailed('client-view')).map((line) => JSON.parse(line) as { id: string; type: string });
    expect(events).toContainEqual(
      expect.objectContaining({
        id: `${sent}.0`,
        type: 'annals.client.message.v1',
        subject: sent.replace('1/', 'message/'),
      }),
    );
  });

  it('needs a consumer of that name, whose owner may read it', async () => {
    await expect(tailed('nobody')).rejects.toThrow('There is no consumer nobody.');
    const { member } = users;
    const named = { direct_members: [owner.id, member.id], direct_subgroups: [] };
    granted(await owner.patch('/realm', { can_audit_group: { new: named } }));
    await ConsumerCaller.created(member, 'of-a-member');
    granted(
      await owner.patch('/realm', { can_audit_group: { new: { direct_members: [owner.id], direct_subgroups: [] } } }),
    );
    await expect(tailed('of-a-member')).rejects.toMatchObject({ code: 'UNAUTHORIZED_AUDIT' });
  });

  it('is a command that takes no position of its own', async () => {
    await consumer('from-a-shell');
    const sent = await send('printed');
    const env = { DATABASE_URL: users.server.databaseUrl };
    const { out, ...end } = await runCli(env, 'tail', '--consumer', 'from-a-shell', '--once');
    expect(end).toEqual({ err: '', code: 0, signal: null });
    expect(ids(out.trim().split('\n'))).toEqual([sent]);
    expect(await runCli(env, 'tail', '--consumer', 'from-a-shell', '--after', '3')).toMatchObject({
      code: 1,
      err: 'A consumer says itself where it continues and what it shows.\n',
    });
  });
});
