import type { Aggregate, ChannelId } from '@annals/kernel/domain';
import { ascending, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { DefaultGroupEvent } from './default-group-events';
import {
  DefaultGroupCreated,
  DefaultGroupDeleted,
  DefaultGroupDescribed,
  DefaultGroupExtended,
  DefaultGroupReduced,
  DefaultGroupRenamed,
} from './default-group-events';

/** Code points, as on the server that the interface was taken from. */
const MAX_NAME_LENGTH = 60;
/** Most groups of an organization: every client loads all of them. */
export const MAX_GROUPS = 100;

interface DefaultGroup {
  /** Null once it was erased. Then another group may have the name. */
  readonly name: string | null;
  readonly description: string;
  readonly channelIds: ReadonlySet<ChannelId>;
}

/** All groups of default channels of an organization. */
export type DefaultGroups = ReadonlyMap<number, DefaultGroup>;

/** Key and name of the one stream of an organization's groups of default channels. */
export const DEFAULT_GROUPS = 'default-channel-groups';

export const defaultGroupsAggregate: Aggregate<DefaultGroups, DefaultGroupEvent, typeof DEFAULT_GROUPS> = {
  stream: (key) => key,
  initial: new Map(),
  evolve(groups, { type, data, sealed }) {
    switch (type) {
      case 'channels.DefaultGroupCreated': {
        const text = sealed === 'erased' ? { name: null, description: '' } : sealed;
        return new Map([...groups, [data.groupId, { ...text, channelIds: new Set(data.channelIds) }]]);
      }
      case 'channels.DefaultGroupRenamed':
        return changed(groups, data.groupId, () => ({ name: sealed === 'erased' ? null : sealed.name }));
      case 'channels.DefaultGroupDescribed':
        return changed(groups, data.groupId, () => ({ description: sealed === 'erased' ? '' : sealed.description }));
      case 'channels.DefaultGroupExtended':
        return changed(groups, data.groupId, ({ channelIds }) => ({
          channelIds: new Set([...channelIds, ...data.channelIds]),
        }));
      case 'channels.DefaultGroupReduced':
        return changed(groups, data.groupId, ({ channelIds }) => ({
          channelIds: new Set([...channelIds].filter((id) => !data.channelIds.includes(id))),
        }));
      case 'channels.DefaultGroupDeleted':
        return new Map([...groups].filter(([id]) => id !== data.groupId));
    }
  },
};

function changed(groups: DefaultGroups, id: number, change: (group: DefaultGroup) => Partial<DefaultGroup>) {
  const group = groups.get(id);
  return group ? new Map([...groups, [id, { ...group, ...change(group) }]]) : groups;
}

/** A channel that a request names. */
export interface NamedChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly isDefault: boolean;
}

/** The texts of a group as they are requested. */
export interface DefaultGroupText {
  readonly name: string;
  readonly description: string;
}

/** @throws Rejected BAD_REQUEST for a name that is taken or malformed, and for a channel that all new accounts get */
export function createDefaultGroup(
  groups: DefaultGroups,
  groupId: number,
  { name, description }: DefaultGroupText,
  channels: readonly NamedChannel[],
): DefaultGroupEvent[] {
  ensureNoDefaults(channels, name);
  ensureName(groups, name);
  if (groups.size >= MAX_GROUPS) throw reject.tooManyDefaultGroups({ limit: MAX_GROUPS });
  return [fact(DefaultGroupCreated, { groupId, channelIds: idsOf(channels) }, { name, description })];
}

/** Changes texts of a group. A text that is left out stays as it is. */
export function changeDefaultGroup(
  groups: DefaultGroups,
  groupId: number,
  { name, description }: Partial<DefaultGroupText>,
): DefaultGroupEvent[] {
  const group = known(groups, groupId);
  const events: DefaultGroupEvent[] = [];
  if (name !== undefined) {
    if (name === group.name) throw reject.sameDefaultGroupName({ name });
    ensureName(groups, name);
    events.push(fact(DefaultGroupRenamed, { groupId }, { name }));
  }
  if (description !== undefined && description !== group.description) {
    events.push(fact(DefaultGroupDescribed, { groupId }, { description }));
  }
  return events;
}

/** @throws Rejected BAD_REQUEST for a channel that is in the group, or that all new accounts get */
export function extendDefaultGroup(
  groups: DefaultGroups,
  groupId: number,
  channels: readonly NamedChannel[],
): DefaultGroupEvent[] {
  const group = known(groups, groupId);
  const name = shown(group, groupId);
  ensureNoDefaults(channels, name);
  const present = channels.find(({ id }) => group.channelIds.has(id));
  if (present) throw reject.inDefaultGroup({ channel: present.name, group: name });
  return channels.length === 0 ? [] : [fact(DefaultGroupExtended, { groupId, channelIds: idsOf(channels) })];
}

/** @throws Rejected BAD_REQUEST for a channel that is not in the group */
export function reduceDefaultGroup(
  groups: DefaultGroups,
  groupId: number,
  channels: readonly NamedChannel[],
): DefaultGroupEvent[] {
  const group = known(groups, groupId);
  const absent = channels.find(({ id }) => !group.channelIds.has(id));
  if (absent) throw reject.notInDefaultGroup({ channel: absent.name, group: shown(group, groupId) });
  return channels.length === 0 ? [] : [fact(DefaultGroupReduced, { groupId, channelIds: idsOf(channels) })];
}

/** @throws Rejected BAD_REQUEST for a group that does not exist */
export function deleteDefaultGroup(groups: DefaultGroups, groupId: number): DefaultGroupEvent[] {
  known(groups, groupId);
  return [fact(DefaultGroupDeleted, { groupId })];
}

/** A channel is archived: it leaves its groups. */
export const leaveDefaultGroups = (groups: DefaultGroups, channelId: ChannelId): DefaultGroupEvent[] =>
  [...groups].flatMap(([groupId, { channelIds }]) =>
    channelIds.has(channelId) ? [fact(DefaultGroupReduced, { groupId, channelIds: [channelId] })] : [],
  );

/** The archiving of a channel is undone: it is in these groups again, as far as they exist. */
export const returnToDefaultGroups = (
  groups: DefaultGroups,
  channelId: ChannelId,
  groupIds: readonly number[],
): DefaultGroupEvent[] =>
  groupIds.flatMap((groupId) => {
    const isAbsent = groups.get(groupId)?.channelIds.has(channelId) === false;
    return isAbsent ? [fact(DefaultGroupExtended, { groupId, channelIds: [channelId] })] : [];
  });

/** The channels of some groups. Null if there is no group with one of the ids. */
export function channelsOf(groups: DefaultGroups, groupIds: readonly number[]): ReadonlySet<ChannelId> | null {
  const chosen = groupIds.flatMap((id) => groups.get(id) ?? []);
  return chosen.length < groupIds.length ? null : new Set(chosen.flatMap(({ channelIds }) => [...channelIds]));
}

function known(groups: DefaultGroups, id: number): DefaultGroup {
  const group = groups.get(id);
  if (!group) throw reject.unknownDefaultGroup({ id });
  return group;
}

const shown = ({ name }: DefaultGroup, id: number): string => name ?? String(id);

function ensureName(groups: DefaultGroups, name: string): void {
  if (name.trim() === '') throw reject.invalidDefaultGroupName({ name });
  if ([...name].length > MAX_NAME_LENGTH) throw reject.defaultGroupNameTooLong({ limit: MAX_NAME_LENGTH });
  if ([...groups.values()].some((group) => group.name === name)) throw reject.defaultGroupNameTaken({ name });
}

function ensureNoDefaults(channels: readonly NamedChannel[], group: string): void {
  const found = channels.find(({ isDefault }) => isDefault);
  if (found) throw reject.defaultInGroup({ channel: found.name, group });
}

const idsOf = (channels: readonly NamedChannel[]): ChannelId[] => ascending(new Set(channels.map(({ id }) => id)));
