import fc from 'fast-check';
import type { Answer } from '../server/caller';
import { act } from './act';
import type { World } from './world';
import { viewer } from './world';

/** Keeps the id of a message that was sent, if it was. */
async function sent(world: World, sending: Promise<Answer<{ id?: number }>>): Promise<void> {
  const { body } = await sending;
  if (body.id !== undefined) world.messages.push(body.id);
}

/** Topics that are written in, by people and by the notification bot. */
const TOPICS = ['topic', 'channel events', 'new channels'] as const;

const move = fc.record({
  which: fc.nat(9),
  topic: fc.option(fc.nat(3)),
  channel: fc.option(fc.nat(9)),
  mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
});

const op = fc.constantFrom('add', 'remove');

/** Acts that send, edit, read, move and delete messages. */
export const messageActs = [
  act('say', 4, fc.nat(9), (world, channel) =>
    sent(
      world,
      world.owner.post('/messages', {
        type: 'channel',
        to: world.channel(channel),
        topic: `topic ${channel}`,
        content: 'so?',
        read_by_sender: true,
      }),
    ),
  ),
  // Subscribed or not. For others the message is read from the start.
  act('tell', 4, fc.record({ viewer, channel: fc.nat(9), called: fc.option(viewer) }), (world, request) => {
    const to = world.channel(request.channel);
    const content = request.called === null ? 'well' : `@**|${world.viewer(request.called).id}**, so?`;
    const message = { type: 'channel', to, topic: `topic ${request.channel}`, content };
    return sent(world, world.viewer(request.viewer).post('/messages', message));
  }),
  act('call', 2, fc.record({ viewer, channel: fc.nat(9) }), (world, { viewer, channel }) => {
    const content = `@**|${world.viewer(viewer).id}**, so?`;
    const message = { type: 'channel', to: world.channel(channel), topic: `topic ${channel}`, content };
    return sent(world, world.owner.post('/messages', { ...message, read_by_sender: true }));
  }),
  act('write', 2, viewer, (world, to) =>
    sent(world, world.owner.post('/messages', { type: 'direct', to: [world.viewer(to).id], content: 'and you?' })),
  ),
  act('move', 6, move, (world, { which, topic, channel, mode }) =>
    world.owner.patch(`/messages/${world.message(which)}`, {
      ...(topic !== null && { topic: `topic ${topic}` }),
      ...(channel !== null && { stream_id: world.channel(channel) }),
      propagate_mode: mode,
    }),
  ),
  act('edit', 4, fc.nat(9), (world, which) =>
    world.owner.patch(`/messages/${world.message(which)}`, { content: `so ${world.server.next()}` }),
  ),
  act('react', 1, fc.record({ viewer, which: fc.nat(9) }), (world, { viewer, which }) =>
    world.viewer(viewer).post(`/messages/${world.message(which)}/reactions`, { emoji_name: 'tada' }),
  ),
  act(
    'mark',
    6,
    fc.record({ viewer, which: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }), op }),
    (world, request) =>
      world.viewer(request.viewer).post('/messages/flags', {
        messages: request.which.map((which) => world.message(which)),
        op: request.op,
        flag: 'read',
      }),
  ),
  act('mark channel', 1, fc.record({ viewer, channel: fc.nat(9) }), (world, { viewer, channel }) =>
    world.viewer(viewer).post('/mark_stream_as_read', { stream_id: world.channel(channel) }),
  ),
  act('mark all', 1, viewer, (world, viewer) => world.viewer(viewer).post('/mark_all_as_read')),
  act('delete', 4, fc.nat(9), (world, which) => world.owner.delete(`/messages/${world.message(which)}`)),
  // The newest deletion, or the newest move; a second undo is refused.
  act('undo', 3, fc.constantFrom('messages.MessagesDeleted', 'messages.TopicMoved'), async (world, type) => {
    const { rows } = await world.server.kernel.database.pool.query<{ position: number }>(
      'SELECT max(position) AS position FROM events WHERE realm_id = 1 AND type = $1',
      [type],
    );
    const position = rows[0]?.position ?? null;
    return position === null ? null : world.owner.post('/audit/undo', { position });
  }),
  act('delete topic', 2, fc.record({ channel: fc.nat(9), name: fc.constantFrom(...TOPICS) }), (world, request) => {
    const { channel, name } = request;
    const topic_name = name === 'topic' ? `topic ${channel}` : name;
    return world.owner.post(`/streams/${world.channel(channel)}/delete_topic`, { topic_name });
  }),
];
