import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';

/** Channels, their folders and the groups of default channels change. */
export async function channelsChange(owner: Person, channel: ChannelId): Promise<void> {
  const folder = { name: 'Projects', description: 'What we *build*' };
  const made = granted(await owner.post<{ channel_folder_id: number }>('/channel_folders/create', folder));
  const { channel_folder_id: id } = made;
  granted(await owner.patch(`/channel_folders/${id}`, { name: 'Plans', description: 'What we will *build*' }));
  granted(await owner.patch('/channel_folders', { order: [id] }));
  const words = { new_name: 'our plans', description: 'Where **all** plans are made' };
  const rules = { message_retention_days: 'unlimited', topics_policy: 'disable_empty_topic', folder_id: id };
  const permissions = {
    is_private: true,
    can_subscribe_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
  };
  granted(await owner.patch(`/streams/${channel}`, { ...words, ...rules, ...permissions }));
  granted(await owner.patch(`/streams/${channel}`, { new_name: 'plans', is_private: false, is_default_stream: true }));
  granted(await owner.delete(`/streams/${channel}`));
  granted(await owner.patch(`/streams/${channel}`, { is_archived: false, folder_id: null }));
  granted(await owner.patch(`/channel_folders/${id}`, { is_archived: true }));
  await defaultsAreGrouped(owner);
}

async function defaultsAreGrouped(owner: Person): Promise<void> {
  const created = { group_name: 'Design', description: 'For who *draws*', stream_names: [] };
  granted(await owner.post('/default_stream_groups/create', created));
  const { realm_default_stream_groups: groups } = await owner.register({
    fetch_event_types: ['default_stream_groups'],
  });
  const [{ id = 0 } = {}] = groups as { id?: number }[];
  const group = `/default_stream_groups/${id}`;
  granted(await owner.patch(`${group}/streams`, { op: 'add', stream_names: ['plans'] }));
  granted(await owner.patch(group, { new_group_name: 'Drawing', new_description: 'For all who *draw*' }));
  granted(await owner.patch(`${group}/streams`, { op: 'remove', stream_names: ['plans'] }));
  granted(await owner.delete(group));
}
