import fc from 'fast-check';
import type { Params } from '../server/caller';
import { act } from './act';
import type { World } from './world';

/** Acts on the settings of the organization. */
export const realmActs = [
  act('wait', 1, fc.constantFrom(0, 3), (world, days) => change(world, { waiting_period_threshold: days })),
  act('allow', 1, fc.nat(3), (world, holders) =>
    change(world, { can_create_public_channel_group: { new: world.systemGroup(holders) } }),
  ),
  act('restrict guests', 3, fc.boolean(), (world, isRestricted) =>
    change(world, { can_access_all_users_group: { new: world.everyone(isRestricted) } }),
  ),
  act('give notice', 1, fc.nat(9), (world, channel) =>
    change(world, {
      new_stream_announcements_stream_id: world.channel(channel) || -1,
      send_channel_events_messages: channel % 2 === 0,
    }),
  ),
  act('let audit', 1, fc.nat(3), (world, holders) =>
    change(world, { can_audit_group: { new: world.systemGroup(holders) } }),
  ),
  act('read the history', 1, fc.integer({ min: 1, max: 3 }), (world, limit) =>
    world.owner.get('/audit/events', { subject: 'realm', limit }),
  ),
  act('choose pictures', 1, fc.constantFrom('G', 'J'), (world, default_avatar_source) =>
    change(world, { default_avatar_source }),
  ),
  act('choose for newcomers', 1, fc.integer({ min: 1, max: 3 }), (world, color_scheme) =>
    world.owner.patch('/realm/user_settings_defaults', { color_scheme }),
  ),
];

const change = (world: World, settings: Params) => world.owner.patch('/realm', settings);
