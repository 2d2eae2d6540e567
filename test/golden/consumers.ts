import { ConsumerFacts, reportFailure, webhookAggregate } from '@annals/consumers';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { actAs, provided } from '../support/requests/notices';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

/** Programs follow the log. */
export async function consumersComeAndGo(server: TestServer): Promise<void> {
  const { owner } = server;
  const wanted = { view: 'domain', types: ['messages.*'], subjects: ['channel:3'], from: 'beginning' };
  granted(await owner.post('/feed/consumers', { name: 'archive', ...wanted }));
  granted(await owner.patch('/feed/consumers/archive', { types: ['messages.*', 'channels.*'], paused: true }));
  await webhookComesAndGoes(server);
  const sink = { kind: 'nats', servers: '["tls://1.1.1.1"]', stream: 'chat', subject_prefix: 'chat.' };
  granted(await owner.put('/feed/consumers/archive/sink', sink));
  granted(await owner.delete('/feed/consumers/archive/sink'));
  granted(await owner.patch('/feed/consumers/archive', { paused: false }));
  granted(await owner.post('/feed/consumers/archive/rewind', { to: 'p5' }));
  granted(await owner.delete('/feed/consumers/archive'));
}

/**
 * The paused consumer gets a webhook for a while. That its owner learned of failures is noted by hand, because the log must not
 * depend on other servers.
 */
async function webhookComesAndGoes(server: TestServer): Promise<void> {
  const { owner } = server;
  granted(await owner.put('/feed/consumers/archive/webhook', { url: 'https://example.com/hook', batch: true }));
  granted(await owner.post('/feed/consumers/archive/webhook/rotate'));
  const [archive] = await provided(server, ConsumerFacts).all(1 as RealmId);
  if (!archive) throw new Error('there is no consumer');
  const report = { since: Date.UTC(2026, 0, 1) as Instant, hours: 1 };
  await actAs(server, owner, async (work) => {
    await work.decide(webhookAggregate, archive.id, (state) => reportFailure(state, archive, report));
  });
  granted(await owner.delete('/feed/consumers/archive/webhook'));
}
