import type { WireEvent } from '../server/caller';
import { FIELD } from '../requests/profile-fields';
import type { WireField } from '../requests/profile-fields';

interface SaidValue {
  readonly value: string | null;
}
type Said = Readonly<Record<string, SaidValue>>;

/** A user of the directory, with the profile only. */
interface Person {
  readonly profile_data?: unknown;
}

const saidBy = (person: Person) => (person.profile_data ?? {}) as Said;

/**
 * The state after a new list of fields: values of missing fields and choices are deleted with them, without events for
 * each user (contract/profile-fields.md sections 3 and 4).
 */
export function fieldsAfter<Somebody extends object>(
  event: WireEvent,
  { realm_users, realm_non_active_users }: Readonly<Record<'realm_users' | 'realm_non_active_users', Somebody[]>>,
) {
  const fields = event['fields'] as readonly WireField[];
  const byId = new Map(fields.map((field) => [String(field.id), field]));
  const isLeft = ([id, { value }]: [string, SaidValue]) => {
    const field = byId.get(id);
    if (field?.type !== FIELD.dropdown) return field !== undefined;
    return Object.hasOwn(JSON.parse(field.field_data) as object, value ?? '');
  };
  const left = (person: Somebody & Person) =>
    person.profile_data === undefined
      ? person
      : { ...person, profile_data: Object.fromEntries(Object.entries(saidBy(person)).filter(isLeft)) };
  return {
    custom_profile_fields: fields,
    realm_users: realm_users.map(left),
    realm_non_active_users: realm_non_active_users.map(left),
  };
}

/** A user set or cleared a profile value. */
export function applyToProfile(person: object, change: unknown): void {
  const { id, ...stored } = change as SaidValue & { readonly id: number };
  const { [id]: _, ...others } = saidBy(person);
  Object.assign(person, { profile_data: stored.value === null ? others : { ...others, [id]: stored } });
}
