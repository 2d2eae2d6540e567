import { setTimeout as delay } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import type { Bench, Figures } from '../harness';
import { followed } from './beside';
import type { ApiClient } from './client';
import { meanwhile } from './meanwhile';
import type { PastTopic } from './past';
import { Receiver } from './receiver';

/** An organization in which a user changes large topics while another user sends messages elsewhere. */
export interface TopicSetup {
  readonly bench: Bench;
  /** Beside those of the server. */
  readonly kernel: Kernel;
  readonly owner: ApiClient;
  readonly other: ApiClient;
}

const REALM = 1 as RealmId;
/** Messages that remain when nearly all of a topic moves. */
const FEW = 10;
/** How long the time of messages is measured when nothing else happens, in ms. */
const QUIET_MS = 1_000;
const ELSEWHERE = { type: 'channel', to: 'general', topic: 'elsewhere', content: 'somebody else writes meanwhile' };

/** Each move is of what the one before it has left. */
export async function measureMoves(
  setup: TopicSetup,
  { channelId, name, messageIds }: PastTopic,
  channels: readonly ChannelId[],
): Promise<Figures> {
  const { bench, owner, other } = setup;
  const [first = 0, half = 0] = [messageIds[0], messageIds[messageIds.length >> 1]];
  const target = String(channels.find((id) => id !== channelId));
  const moves: Readonly<Record<string, readonly [id: number, form: Readonly<Record<string, string>>]>> = {
    rename: [first, { topic: `${name}, renamed`, propagate_mode: 'change_all' }],
    channel: [first, { stream_id: target, propagate_mode: 'change_all' }],
    most: [messageIds[FEW] ?? 0, { topic: 'most of it', propagate_mode: 'change_later' }],
    half: [half, { topic: 'half of it', propagate_mode: 'change_later' }],
    resolve: [messageIds[FEW] ?? 0, { topic: '✔ most of it', propagate_mode: 'change_all' }],
  };
  const receiver = await Receiver.register(owner, 'update_message');
  const quiet = await meanwhile(other, ELSEWHERE, () => delay(QUIET_MS));
  const figures: Figures[] = [
    {
      'messages.topic': { value: messageIds.length, unit: 'messages' },
      'messages.quiet.longest': { value: quiet.longest, unit: 'ms' },
    },
  ];
  for (const [move, [id, form]] of Object.entries(moves)) {
    bench.say(`moving a topic: ${move}`);
    figures.push(await measureMove(setup, receiver, move, [`/messages/${id}`, form]));
  }
  return Object.assign({}, ...figures) as Figures;
}

async function measureMove(
  { kernel, owner, other }: TopicSetup,
  receiver: Receiver,
  move: string,
  [path, form]: readonly [path: string, form: Readonly<Record<string, string>>],
): Promise<Figures> {
  const head = (await kernel.events.heads()).get(REALM) ?? 0;
  const { done, longest } = await meanwhile(other, ELSEWHERE, async () => {
    const arriving = receiver.next();
    const began = performance.now();
    await owner.patch(path, { ...form, send_notification_to_new_thread: 'false' });
    const answered = performance.now();
    const { at } = await arriving;
    await followed(kernel);
    return { answer: answered - began, heard: at - began };
  });
  const events = await eventsOf(kernel, owner, head);
  return {
    [`messages.${move}.answer`]: { value: done.answer, unit: 'ms' },
    [`messages.${move}.heard`]: { value: done.heard, unit: 'ms' },
    [`messages.${move}.events`]: { value: events, unit: 'events' },
    [`messages.${move}.longest`]: { value: longest, unit: 'ms' },
  };
}

/** Number of events of the log that a user has caused after a position. */
async function eventsOf(kernel: Kernel, client: ApiClient, position: number): Promise<number> {
  const { user_id } = await client.get('/users/me');
  const { rows } = await kernel.database.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM events WHERE realm_id = $1 AND position > $2 AND actor_id = $3',
    [REALM, position, user_id],
  );
  return rows[0]?.count ?? 0;
}

/** Deletes a topic like clients: again until all messages are deleted. */
export async function measureDeletion(
  { bench, kernel, owner, other }: TopicSetup,
  { channelId, name, messageIds }: PastTopic,
): Promise<Figures> {
  bench.say('deleting a topic');
  const { done, longest } = await meanwhile(other, ELSEWHERE, async () => {
    const began = performance.now();
    for (let complete: unknown = false; complete !== true;) {
      ({ complete } = await owner.post(`/streams/${channelId}/delete_topic`, { topic_name: name }));
    }
    const took = performance.now() - began;
    await followed(kernel);
    return took;
  });
  return {
    'messages.deleted': { value: messageIds.length, unit: 'messages' },
    'messages.delete.rate': { value: messageIds.length / (done / 1_000), unit: 'messages/s' },
    'messages.delete.longest': { value: longest, unit: 'ms' },
  };
}
