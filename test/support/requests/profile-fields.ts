import type { Caller, Params } from '../server/caller';
import { granted } from '../server/caller';

/** A custom profile field on the wire (contract/profile-fields.md section 1). */
export interface WireField {
  readonly id: number;
  readonly type: number;
  readonly order: number;
  readonly name: string;
  readonly field_data: string;
  readonly display_in_profile_summary?: true;
}

/** Types of custom profile fields by their number on the wire. */
export const FIELD = {
  shortText: 1,
  longText: 2,
  dropdown: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;

/** The choices of a dropdown as clients send them: each name is its key in capitals. */
export const choices = (...keys: string[]) =>
  Object.fromEntries(keys.map((key, place) => [key, { text: key.toUpperCase(), order: `${place}` }]));

/** The URL of an account on a site that the server does not support. */
export const FORUM = { subtype: 'custom', url_pattern: 'https://forum.example.com/%(username)s' };

export const createField = (by: Caller, type: number, params: Params = {}) =>
  by.post<{ id: number }>('/realm/profile_fields', { field_type: type, name: `Type ${type}`, ...params });

/** The id of a new field. */
export const newField = async (by: Caller, type: number, params: Params = {}): Promise<number> =>
  granted(await createField(by, type, params)).id;

export const fieldsOf = async (by: Caller): Promise<readonly WireField[]> =>
  granted(await by.get<{ custom_fields: WireField[] }>('/realm/profile_fields')).custom_fields;

/** Says something of oneself by field. */
export const say = (by: Caller, values: Readonly<Record<number, unknown>>) =>
  by.patch('/users/me/profile_data', {
    data: Object.entries(values).map(([id, value]) => ({ id: Number(id), value })),
  });

/** A user's profile values. */
export async function profileOf(by: Caller, userId: number): Promise<Readonly<Record<string, object>>> {
  const asked = { include_custom_profile_fields: true };
  return granted(await by.get<{ user: { profile_data: Record<string, object> } }>(`/users/${userId}`, asked)).user
    .profile_data;
}
