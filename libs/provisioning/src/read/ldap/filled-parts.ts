import { GroupFacts } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { GroupId, RealmId } from '@annals/kernel/domain';
import { FieldType, readProfileFields } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { DirectoryProblem } from '../../domain/ldap/directory-change';
import type { FilledField } from '../../domain/ldap/field-values';

/** The groups and fields that a directory fills, by their names in the settings. */
export interface Filled {
  readonly groups: ReadonlyMap<string, GroupId>;
  readonly fields: ReadonlyMap<string, FilledField>;
  /** Names in the settings that the organization does not have. */
  readonly problems: readonly DirectoryProblem[];
}

const MAX_SHORT = 50;
const MAX_LONG = 500;

/** Finds what a directory fills in an organization. */
@Injectable()
export class FilledParts {
  constructor(
    private readonly kernel: Kernel,
    private readonly groups: GroupFacts,
  ) {}

  async of(realmId: RealmId, groupNames: Iterable<string>, fieldNames: Iterable<string>): Promise<Filled> {
    const problems: DirectoryProblem[] = [];
    const groups = await this.groupsNamed(realmId, groupNames, problems);
    const fields = new Map<string, FilledField>();
    const known = await readProfileFields(this.kernel.database.pool, realmId);
    for (const name of fieldNames) {
      const field = known.find((one) => one.name === name);
      if (field) fields.set(name, filledField(field));
      else problems.push({ about: name, reason: 'there is no custom profile field with this name' });
    }
    return { groups, fields, problems };
  }

  private async groupsNamed(
    realmId: RealmId,
    names: Iterable<string>,
    problems: DirectoryProblem[],
  ): Promise<ReadonlyMap<string, GroupId>> {
    const known = [...(await this.groups.of(realmId)).values()];
    const found = new Map<string, GroupId>();
    for (const name of new Set(names)) {
      const group = known.find((one) => one.name === name);
      if (group && group.systemName === null && !group.isDeactivated) found.set(name, group.groupId);
      else problems.push({ about: name, reason: 'there is no active user group with this name' });
    }
    return found;
  }
}

type KnownField = Awaited<ReturnType<typeof readProfileFields>>[number];

function filledField({ id, type, fieldData }: KnownField): FilledField {
  const maxLength = type === FieldType.longText ? MAX_LONG : MAX_SHORT;
  return { id, kind: kindOf(type), maxLength, choices: type === FieldType.dropdown ? choicesOf(fieldData) : [] };
}

function kindOf(type: FieldType): FilledField['kind'] {
  switch (type) {
    case FieldType.dropdown:
      return 'choice';
    case FieldType.link:
      return 'link';
    case FieldType.date:
      return 'date';
    case FieldType.users:
      return 'people';
    default:
      return 'text';
  }
}

const choicesOf = (fieldData: string): FilledField['choices'] =>
  Object.entries(JSON.parse(fieldData) as Readonly<Record<string, { readonly text: string }>>).map(
    ([value, { text }]) => ({ value, text }),
  );
