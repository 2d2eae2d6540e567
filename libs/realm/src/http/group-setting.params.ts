import type { GroupId, GroupSetting, Static, UserId, WireGroupSetting } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { ParamOptions } from '@annals/web';
import { JsonParam } from '@annals/web';

/** A group setting on the wire, in requests and answers (contract/permissions.md section 3). */
export const wireGroupSetting = t.Union(
  [
    t.Integer(),
    t.Object(
      { direct_members: t.Array(t.Integer()), direct_subgroups: t.Array(t.Integer()) },
      { additionalProperties: false },
    ),
  ],
  { $id: 'GroupSettingValue', description: 'Id of a named group, or these people and groups.' },
);

const change = t.Object(
  { new: wireGroupSetting, old: t.Optional(t.Union([wireGroupSetting, t.Null()])) },
  { additionalProperties: false },
);

/** A group setting as an endpoint that changes it takes it; `old` is what the caller thinks it is now. */
export type WireGroupSettingChange = Static<typeof change>;

/** A group setting of something new: the value itself (contract/permissions.md section 3). */
export const GroupSettingParam = (options: Pick<ParamOptions, 'about'> = {}): PropertyDecorator =>
  JsonParam(wireGroupSetting, { ...options, optional: true });

/** A group setting of something that exists: `{"new": value, "old": value?}`. */
export const GroupSettingChangeParam = (options: Pick<ParamOptions, 'about'> = {}): PropertyDecorator =>
  JsonParam(change, { ...options, optional: true });

/** The value as rules know it; its ids are the caller's and may name nothing. */
export function fromWireGroupSetting(wire: WireGroupSetting): GroupSetting {
  if (typeof wire === 'number') return wire as GroupId;
  return { directMembers: wire.direct_members as UserId[], directSubgroups: wire.direct_subgroups as GroupId[] };
}
