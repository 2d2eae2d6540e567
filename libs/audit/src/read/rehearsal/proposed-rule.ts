import { Value } from '@sinclair/typebox/value';
import type { GroupSetting } from '@annals/kernel/domain';
import type { Realm, RealmSettings, SettingName } from '@annals/realm';
import { allowedGroupValue, settingOf, settingsSchema } from '@annals/realm';
import { REHEARSABLE } from './decisions';

/** A proposed value of a setting of the organization. */
export interface ProposedRule {
  readonly setting: SettingName;
  readonly value: RealmSettings[SettingName];
}

/**
 * Reads `<setting>=<value>`. A group is `role:moderators`, an id, or an object with `direct_members` and
 * `direct_subgroups`; no time limit is `unlimited`.
 *
 * @throws Error in one sentence for an unknown setting, or a value that it cannot have
 */
export function proposedRule(text: string, { systemGroups }: NonNullable<Realm>): ProposedRule {
  const [, name = '', written = ''] = /^([a-z_]+)=(.+)$/s.exec(text) ?? [];
  const setting = REHEARSABLE.find((one) => one === name);
  if (setting === undefined) throw new Error(`A rule is <setting>=<value>, with one of ${REHEARSABLE.join(', ')}.`);
  const declared = settingOf(setting);
  const raw = parsed(written);
  const value =
    declared.kind === 'group'
      ? groupOf(raw, systemGroups)
      : declared.kind === 'time limit' && raw === 'unlimited'
        ? null
        : raw;
  if (!Value.Check(settingsSchema, { [setting]: value })) throw new Error(`${setting} cannot be ${written}.`);
  if (declared.kind !== 'group') return { setting, value: value as ProposedRule['value'] };
  return { setting, value: allowedGroupValue(setting, value as GroupSetting, declared.rule, systemGroups) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function groupOf(raw: unknown, groups: NonNullable<Realm>['systemGroups']): unknown {
  if (typeof raw === 'string' && raw.startsWith('role:')) {
    return (groups as Readonly<Record<string, unknown>>)[raw.slice('role:'.length)];
  }
  if (typeof raw !== 'object' || raw === null) return raw;
  const { direct_members: directMembers, direct_subgroups: directSubgroups } = raw as Record<string, unknown>;
  return { directMembers, directSubgroups };
}
