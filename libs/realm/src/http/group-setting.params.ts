import type { GroupId, GroupSetting, Static, UserId, WireGroupSetting } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { ParamOptions } from '@annals/web';
import { JsonParam } from '@annals/web';

/** A group setting in the API, in requests and answers (contract/permissions.md section 3). */
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

/** A group setting of something new: the value itself (contract/permissions.md section 3). */
export const GroupSettingParam = (options: Pick<ParamOptions, 'about'> = {}): PropertyDecorator =>
  JsonParam(wireGroupSetting, { ...options, optional: true });

/** A group setting of something that exists: `{"new": value, "old": value?}`. */
export const GroupSettingChangeParam = (options: Pick<ParamOptions, 'about'> = {}): PropertyDecorator =>
  JsonParam(change, { ...options, optional: true });

/** Values by the names of settings. Settings that are not in the request are left out. */
type Some<Name extends string> = Partial<Record<Name, GroupSetting>>;

/** The settings of something new that are in the request. */
export function givenSettings<Name extends string>(params: object, names: readonly Name[]): Some<Name> {
  return valuesOf(names, (name) => (params as Partial<Record<Name, WireGroupSetting>>)[name]);
}

/** The requested changes of settings, with the expected old values. */
export function givenChanges<Name extends string>(
  params: object,
  names: readonly Name[],
): { readonly settings: Some<Name>; readonly expected: Some<Name> } {
  const given = params as Partial<Record<Name, Static<typeof change>>>;
  return {
    settings: valuesOf(names, (name) => given[name]?.new),
    expected: valuesOf(names, (name) => given[name]?.old),
  };
}

function valuesOf<Name extends string>(
  names: readonly Name[],
  of: (name: Name) => WireGroupSetting | null | undefined,
): Some<Name> {
  const values: Some<Name> = {};
  for (const name of names) {
    const wire = of(name);
    if (wire !== undefined && wire !== null) values[name] = fromWire(wire);
  }
  return values;
}

/** The value in the form of the domain. Its ids are from the request and may not exist. */
function fromWire(wire: WireGroupSetting): GroupSetting {
  if (typeof wire === 'number') return wire as GroupId;
  return { directMembers: wire.direct_members as UserId[], directSubgroups: wire.direct_subgroups as GroupId[] };
}
