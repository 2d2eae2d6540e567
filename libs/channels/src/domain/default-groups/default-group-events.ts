import type { FactOf } from '@annals/kernel/domain';
import { channelId, defineEvent, t } from '@annals/kernel/domain';

const groupId = t.Integer({ minimum: 1 });

const ofGroup = (data: { readonly groupId: number }) => [['default-channel-group', data.groupId]] as const;

/**
 * Stream `default-channel-groups`, like all of these: groups of default channels are few, and there are rules about their
 * names and number together.
 */
export const DefaultGroupCreated = defineEvent('channels.DefaultGroupCreated', {
  data: t.Object({
    groupId,
    /** Ascending. */
    channelIds: t.Array(channelId),
  }),
  sealed: t.Object({ name: t.String(), description: t.String() }),
  subjects: ofGroup,
});
export type DefaultGroupCreated = FactOf<typeof DefaultGroupCreated>;

export const DefaultGroupRenamed = defineEvent('channels.DefaultGroupRenamed', {
  data: t.Object({ groupId }),
  sealed: t.Object({ name: t.String() }),
  subjects: ofGroup,
});
export type DefaultGroupRenamed = FactOf<typeof DefaultGroupRenamed>;

export const DefaultGroupDescribed = defineEvent('channels.DefaultGroupDescribed', {
  data: t.Object({ groupId }),
  sealed: t.Object({ description: t.String() }),
  subjects: ofGroup,
});
export type DefaultGroupDescribed = FactOf<typeof DefaultGroupDescribed>;

const ofChannels = (data: { readonly groupId: number; readonly channelIds: readonly number[] }) => [
  ...ofGroup(data),
  ...data.channelIds.map((id) => ['channel', id] as const),
];
const channels = t.Object({
  groupId,
  /** Ascending. */
  channelIds: t.Array(channelId, { minItems: 1 }),
});

export const DefaultGroupExtended = defineEvent('channels.DefaultGroupExtended', {
  data: channels,
  subjects: ofChannels,
});
export type DefaultGroupExtended = FactOf<typeof DefaultGroupExtended>;

/** Also for a channel that is archived. */
export const DefaultGroupReduced = defineEvent('channels.DefaultGroupReduced', {
  data: channels,
  subjects: ofChannels,
});
export type DefaultGroupReduced = FactOf<typeof DefaultGroupReduced>;

export const DefaultGroupDeleted = defineEvent('channels.DefaultGroupDeleted', {
  data: t.Object({ groupId }),
  subjects: ofGroup,
});
export type DefaultGroupDeleted = FactOf<typeof DefaultGroupDeleted>;

export type DefaultGroupEvent =
  | DefaultGroupCreated
  | DefaultGroupRenamed
  | DefaultGroupDescribed
  | DefaultGroupExtended
  | DefaultGroupReduced
  | DefaultGroupDeleted;

/** Definitions of `DefaultGroupEvent`. */
export const DEFAULT_GROUP_EVENTS = [
  DefaultGroupCreated,
  DefaultGroupRenamed,
  DefaultGroupDescribed,
  DefaultGroupExtended,
  DefaultGroupReduced,
  DefaultGroupDeleted,
] as const;
