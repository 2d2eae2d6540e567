import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { granted } from '../server/caller';
import { tokenIdOf } from '../push/bouncer';
import type { Act } from './act';
import { act } from './act';
import type { World } from './world';
import { pick, viewer } from './world';

const chosen = fc.record({ by: viewer, which: fc.nat(3) });

async function devicesOf(world: World, by: number): Promise<number[]> {
  const { devices } = granted(
    await world.viewer(by).post<{ devices: Record<string, unknown> }>('/register', { fetch_event_types: ['device'] }),
  );
  return Object.keys(devices).map(Number);
}

/** Acts about devices, on a server whose push service never answers. */
export const phoneActs: readonly Act[] = [
  act('device', 2, viewer, (world, by) => world.viewer(by).post('/register_client_device')),
  act('end device', 1, chosen, async (world, { by, which }) =>
    world.viewer(by).post('/remove_client_device', { device_id: pick(await devicesOf(world, by), which) ?? 0 }),
  ),
  act('phone', 2, chosen, async (world, { by, which }) => {
    const n = world.server.next();
    return world.viewer(by).post('/mobile_push/register', {
      device_id: pick(await devicesOf(world, by), which) ?? 0,
      ...{ push_key_id: n, push_key: Buffer.concat([Buffer.of(0x31), randomBytes(32)]).toString('base64') },
      ...{ token_kind: 'fcm', token_id: tokenIdOf(`token ${n}`) },
      ...{ bouncer_public_key: 'AAAA', encrypted_push_registration: 'AAAA' },
    });
  }),
  act('new push key', 1, chosen, async (world, { by, which }) =>
    world.viewer(by).post('/mobile_push/register', {
      device_id: pick(await devicesOf(world, by), which) ?? 0,
      push_key_id: world.server.next(),
      push_key: Buffer.concat([Buffer.of(0x31), randomBytes(32)]).toString('base64'),
    }),
  ),
];
