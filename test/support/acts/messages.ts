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

/** What is said, changed, moved and deleted. */
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
  // Subscribed or not: who is not, has it read from the start.
  act('tell', 4, fc.record({ viewer, channel: fc.nat(9), called: fc.option(viewer) }), (world, wished) => {
    const to = world.channel(wished.channel);
    const content = wished.called === null ? 'well' : `@**|${world.viewer(wished.called).id}**, so?`;
    const message = { type: 'channel', to, topic: `topic ${wished.channel}`, content };
    return sent(world, world.viewer(wished.viewer).post('/messages', message));
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
  act('delete', 4, fc.nat(9), (world, which) => world.owner.delete(`/messages/${world.message(which)}`)),
  act('delete topic', 2, fc.record({ channel: fc.nat(9), name: fc.constantFrom(...TOPICS) }), (world, wished) => {
    const { channel, name } = wished;
    const topic_name = name === 'topic' ? `topic ${channel}` : name;
    return world.owner.post(`/streams/${world.channel(channel)}/delete_topic`, { topic_name });
  }),
];
