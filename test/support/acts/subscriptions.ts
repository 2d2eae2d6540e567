import fc from 'fast-check';
import { act } from './act';
import type { World } from './world';
import { viewer } from './world';

const SETTINGS = [
  { property: 'in_home_view', value: false },
  { property: 'is_muted', value: false },
  { property: 'color', value: '#abc' },
  { property: 'desktop_notifications', value: true },
] as const;

const channel = fc.nat(9);

/** Acts on subscriptions and their settings. */
export const subscriptionActs = [
  act('subscribe', 2, fc.record({ viewer, channel }), async (world, { viewer, channel }) => {
    const name = await nameOf(world, channel);
    const principals = [world.viewer(viewer).id];
    if (name) await world.owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
  }),
  act('unsubscribe', 2, fc.record({ viewer, channel }), async (world, { viewer, channel }) => {
    const name = await nameOf(world, channel);
    const principals = [world.viewer(viewer).id];
    if (name) await world.owner.delete('/users/me/subscriptions', { subscriptions: [name], principals });
  }),
  act(
    'set',
    1,
    fc.record({ viewer, channel, change: fc.constantFrom(...SETTINGS) }),
    (world, { viewer, channel, change }) =>
      world.viewer(viewer).patch(`/users/me/subscriptions/${world.channel(channel)}`, change),
  ),
];

async function nameOf(world: World, channel: number): Promise<string | undefined> {
  const { body } = await world.owner.get<{ streams: { stream_id: number; name: string }[] }>('/streams', {
    include_all: true,
  });
  return body.streams.find(({ stream_id }) => stream_id === world.channel(channel))?.name;
}
