import fc from 'fast-check';
import { act } from './act';

/** What is said. */
export const messageActs = [
  act('say', 1, fc.nat(9), (world, channel) =>
    world.owner.post('/messages', {
      type: 'channel',
      to: world.channel(channel),
      topic: `topic ${channel}`,
      content: 'so?',
      read_by_sender: true,
    }),
  ),
];
