import { Welcomes, accepted, queryAggregate, queryKey } from '@annals/bots';
import type { MessageId, RealmId } from '@annals/kernel/domain';
import { deliver, goldenDelivery } from '../support/integrations/deliveries';
import { actAs } from '../support/requests/notices';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';

/** Another system tells of an event, with an id. */
export async function deliveryIsPosted(server: TestServer, ann: Person): Promise<void> {
  const reporter = await server.bot(ann, { name: 'Reporter', type: 2 });
  const { payload: body } = goldenDelivery('stripe', 'charge-succeeded');
  granted(await deliver(server, reporter, 'stripe', { body }));
}

/** An embedded bot answers a message, and may not answer another one. Somebody is welcomed. */
export async function botsOfTheServerAct(server: TestServer, ann: Person): Promise<void> {
  const { owner, apis } = server;
  await server.bot(owner, { name: 'Units', type: 4, program: 'converter' });
  const content = '@**Units** 12 celsius fahrenheit';
  const quiet = await server.channel(owner, { name: 'weather' });
  granted(await owner.post('/messages', { type: 'channel', to: quiet, topic: 'today', content }));
  await server.botsReacted();
  const only = { new: { direct_members: [ann.id], direct_subgroups: [] } };
  granted(await owner.patch(`/streams/${quiet}`, { can_send_message_group: only }));
  granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'weather' }], principals: [ann.id] }));
  granted(await ann.post('/messages', { type: 'channel', to: quiet, topic: 'today', content }));
  await server.botsReacted();
  await apis[0]?.app.get(Welcomes, { strict: false }).welcome(1 as RealmId, ann.id);
}

/**
 * An outgoing webhook is at an address that is not allowed, and moves. That one has a message is noted by hand, because the log
 * must not depend on other servers.
 */
export async function webhooksAreAsked(server: TestServer): Promise<void> {
  const { owner } = server;
  const bot = await server.bot(owner, { name: 'Weather', type: 3, payload_url: '"http://10.1.2.3/hook"' });
  const asked = { type: 'direct', to: [bot.id], content: 'Will it rain?' };
  granted(await owner.post('/messages', asked));
  await server.webhooksDelivered();
  const moved = { service_payload_url: '"https://example.com/hook"', service_interface: 2 };
  granted(await owner.patch(`/bots/${bot.id}`, moved));
  const { id } = granted(await owner.post<{ id: MessageId }>('/messages', { ...asked, to: [owner.id] }));
  const query = { botId: bot.id, messageId: id };
  await actAs(server, bot, async (work) => {
    await work.decide(queryAggregate, queryKey(query), (outcome) => accepted(outcome, query));
  });
}
