import { setImmediate } from 'node:timers/promises';
import type { Actor, Position, RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Kernel, lastUsed } from '@annals/kernel';
import { renderWithoutPreviews } from '@annals/markdown';
import type { ClientBase, Pool } from 'pg';
import { FieldType } from '../../domain/profile/profile-events';

/** The value of a user in a field, in the form for clients (contract/users.md section 1). */
export interface ShownValue {
  readonly value: string;
  /** HTML of a user's text, if the type of the field is text. */
  readonly rendered_value?: string;
}

/** A user's values by field. */
export type ProfileData = Readonly<Record<string, ShownValue>>;

/** For users without values, and for users whose values were not read. */
export const NO_PROFILE: ProfileData = {};

/** Values that are presented at a stretch, before other work runs: texts may have to be parsed. */
const BREATH = 200;

/** With so many users it is cheaper to read all than to list them. */
const MANY = 1_000;

interface ValueRow {
  readonly userId: UserId;
  readonly fieldId: number;
  readonly type: FieldType;
  readonly value: string;
}

const SHOWN = `SELECT user_id AS "userId", field_id AS "fieldId", type, value
  FROM view.profile_values WHERE realm_id = $1 AND value IS NOT NULL`;

/** Profiles of these users, perhaps of others too. Users without values are left out. One query, however many. */
export async function readProfiles(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, ProfileData>> {
  if (userIds.length === 0) return new Map();
  const named = userIds.length > MANY ? null : userIds;
  const { rows } =
    named === null
      ? await client.query<ValueRow>({ name: 'profiles-all', text: SHOWN, values: [realmId] })
      : await client.query<ValueRow>({
          name: 'profiles-of',
          text: `${SHOWN} AND user_id = ANY($2::int8[])`,
          values: [realmId, named],
        });
  const profiles = new Map<UserId, Record<string, ShownValue>>();
  for (const [place, row] of rows.entries()) {
    if (place % BREATH === BREATH - 1) await setImmediate();
    const profile = profiles.get(row.userId);
    if (profile) profile[row.fieldId] = shownValue(row);
    else profiles.set(row.userId, { [row.fieldId]: shownValue(row) });
  }
  return profiles;
}

/** Users whose profiles have changed since a position. */
export async function readChangedProfiles(
  client: ClientBase,
  realmId: RealmId,
  after: Position,
): Promise<readonly UserId[] | 'perhaps everybody'> {
  const { rows } = await client.query<{ user_id: UserId | null }>({
    name: 'profiles-changed',
    text: `SELECT NULL AS user_id FROM view.profile_removals WHERE realm_id = $1 AND position > $2
      UNION SELECT user_id FROM view.profile_values WHERE realm_id = $1 AND last_position > $2`,
    values: [realmId, after],
  });
  const changed = rows.flatMap(({ user_id }) => user_id ?? []);
  return changed.length < rows.length ? 'perhaps everybody' : changed;
}

const shownValue = ({ type, value }: Pick<ValueRow, 'type' | 'value'>): ShownValue =>
  type === FieldType.shortText || type === FieldType.longText
    ? { value, rendered_value: profileHtml(value) }
    : { value };

/** Many values are equal, and the same texts are shown again and again. */
const rendered = lastUsed<string>(20_000);

function profileHtml(text: string): string {
  const kept = rendered.get(text);
  if (kept !== undefined) return kept;
  const html = renderWithoutPreviews(text);
  rendered.set(text, html);
  return html;
}

/** Values of profile fields, for requests. */
@Injectable()
export class Profiles {
  constructor(private readonly kernel: Kernel) {}

  /**
   * The values of each of these users, in one query.
   *
   * @param asked whether the client wants them. Nothing is read otherwise
   * @returns null for each user if the client did not ask
   */
  async of(
    { realmId }: Actor,
    users: readonly { readonly userId: UserId }[],
    asked: boolean,
  ): Promise<(user: { readonly userId: UserId }) => ProfileData | null> {
    if (!asked) return () => null;
    const ids = users.map(({ userId }) => userId);
    const profiles = await readProfiles(this.kernel.database.pool, realmId, ids);
    return ({ userId }) => profiles.get(userId) ?? NO_PROFILE;
  }
}
