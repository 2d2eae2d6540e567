import type { ChannelId } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { Params } from '../server/caller';
import { act } from './act';
import type { World } from './world';
import { pick, viewer } from './world';

/** Users who can see private channels, beside subscribers. */
const SIGHT = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;
/** Changes of a channel that need nothing else. */
const CHANGES: readonly Params[] = [
  { is_private: true },
  { is_private: false },
  { is_private: true, history_public_to_subscribers: true },
  { is_default_stream: true },
  { is_default_stream: false },
  { is_archived: false },
  { message_retention_days: 'unlimited' },
  { topics_policy: 'disable_empty_topic' },
];

const channel = fc.nat(9);
const subscribed = fc.uniqueArray(viewer, { maxLength: 3 });

/** Acts on channels and their folders. */
export const channelActs = [
  act(
    'open',
    1,
    fc.record({ subscribed, invite_only: fc.boolean(), is_default_stream: fc.boolean() }),
    (world, { subscribed, ...more }) => open(world, subscribed, more),
  ),
  act(
    'hide',
    1,
    fc.record({ subscribed, setting: fc.constantFrom(...SIGHT), holders: fc.nat(9) }),
    (world, { subscribed, setting, holders }) => {
      const group = holders < 6 ? pick(world.groups, holders) : undefined;
      return open(world, subscribed, { invite_only: true, [setting]: group ?? world.holders(holders) });
    },
  ),
  act('alter', 4, fc.record({ channel, change: fc.constantFrom(...CHANGES) }), (world, { channel, change }) =>
    alter(world, channel, change),
  ),
  act(
    'permit',
    2,
    fc.record({ channel, setting: fc.constantFrom(...SIGHT, 'can_send_message_group'), holders: fc.nat(3) }),
    (world, { channel, setting, holders }) => alter(world, channel, { [setting]: { new: world.holders(holders) } }),
  ),
  act('retitle', 1, channel, (world, channel) =>
    alter(world, channel, {
      new_name: `channel ${world.server.next()}`,
      description: `now **${world.server.next()}**`,
    }),
  ),
  act('archive', 1, channel, (world, channel) => world.owner.delete(`/streams/${world.channel(channel)}`)),
  act('file', 1, channel, (world, channel) => alter(world, channel, { folder_id: world.folders.at(-1) ?? null })),
  act('group defaults', 1, fc.record({ channel, op: fc.constantFrom('add', 'remove', 'end') }), (world, request) =>
    groupDefaults(world, request.channel, request.op),
  ),
  act('tidy', 1, fc.boolean(), async (world, archive) => {
    await (archive ? archiveFolder(world) : createFolder(world));
    await world.owner.patch('/channel_folders', { order: [...world.folders].reverse() });
  }),
];

async function open(world: World, subscribers: readonly number[], more: Params): Promise<void> {
  const people = subscribers.map((index) => world.viewer(index).id);
  const { body } = await world.owner.post<{ id?: ChannelId }>('/channels/create', {
    name: `channel ${world.server.next()}`,
    announce: true,
    subscribers: [...people, ...world.others.slice(0, 1)],
    ...more,
  });
  if (body.id !== undefined) world.channels.push(body.id);
}

/** Adds a channel to the first group of default channels or a new one, removes it, or deletes the group. */
async function groupDefaults(world: World, channel: number, op: 'add' | 'remove' | 'end') {
  const { owner, server } = world;
  const registered = await owner.register({ fetch_event_types: ['default_stream_groups', 'stream'] });
  const groups = registered['realm_default_stream_groups'] as readonly { readonly id: number }[];
  const streams = registered['streams'] as readonly { readonly stream_id: number; readonly name: string }[];
  const stream_names = streams.flatMap((one) => (one.stream_id === world.channel(channel) ? one.name : []));
  const group = groups[0];
  if (!group) {
    const created = { group_name: `group ${server.next()}`, description: '', stream_names };
    return owner.post('/default_stream_groups/create', created);
  }
  const path = `/default_stream_groups/${group.id}`;
  return op === 'end' ? owner.delete(path) : owner.patch(`${path}/streams`, { op, stream_names });
}

const alter = (world: World, channel: number, change: Params) =>
  world.owner.patch(`/streams/${world.channel(channel)}`, change);

const archiveFolder = (world: World) =>
  world.owner.patch(`/channel_folders/${world.folders[0] ?? 0}`, {
    is_archived: true,
    name: `f${world.server.next()}`,
  });

async function createFolder(world: World): Promise<void> {
  const folder = { name: `folder ${world.server.next()}`, description: '' };
  const { body } = await world.owner.post<{ channel_folder_id?: number }>('/channel_folders/create', folder);
  if (body.channel_folder_id !== undefined) world.folders.push(body.channel_folder_id);
}
