import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { RealmSettings, RealmTexts } from '../domain/settings';
import { NO_TEXTS, defaultSettings } from '../domain/settings';
import type { SystemGroups } from '../domain/system-groups';

/** An organization in the read model. */
export interface RealmRow {
  readonly realmId: RealmId;
  /** Empty for the organization that the server uses for every other host name. */
  readonly subdomain: string;
  readonly uuid: string;
  readonly createdAt: Instant;
  readonly systemGroups: SystemGroups;
  readonly notificationBotId: UserId;
  readonly settings: RealmSettings;
  readonly texts: RealmTexts;
}

type Stored = Omit<RealmRow, 'realmId' | 'settings' | 'texts'> & {
  readonly settings: Partial<RealmSettings> | null;
  readonly texts: Partial<RealmTexts> | null;
};

const COLUMNS = `(SELECT o.subdomain FROM view.organization_subdomains o
    WHERE o.realm_id = r.realm_id AND o.to_position IS NULL) AS subdomain, r.uuid, r.created_at AS "createdAt", r.system_groups AS "systemGroups",
  r.notification_bot_id AS "notificationBotId",
  (SELECT jsonb_object_agg(s.name, s.value) FROM view.realm_settings s WHERE s.realm_id = r.realm_id) AS settings,
  (SELECT jsonb_object_agg(x.name, x.value) FROM view.realm_texts x WHERE x.realm_id = r.realm_id) AS texts`;

/** @returns undefined when there is no such organization */
export async function readRealm(client: Pool | ClientBase, realmId: RealmId): Promise<RealmRow | undefined> {
  const { rows } = await client.query<Stored>({
    name: 'realm-row',
    text: `SELECT ${COLUMNS} FROM view.realms r WHERE r.realm_id = $1`,
    values: [realmId],
  });
  return rows[0] && realmRow(realmId, rows[0]);
}

/**
 * An organization, and whether it has linkifiers: most have none, and need not be asked for them.
 *
 * @throws Error when there is no such organization
 */
export async function readRealmOfTexts(
  client: Pool | ClientBase,
  realmId: RealmId,
): Promise<{ readonly realm: RealmRow; readonly hasLinkifiers: boolean }> {
  const { rows } = await client.query<Stored & { readonly hasLinkifiers: boolean }>({
    name: 'realm-of-texts',
    text: `SELECT ${COLUMNS},
        EXISTS (SELECT FROM view.realm_linkifiers l WHERE l.realm_id = r.realm_id) AS "hasLinkifiers"
      FROM view.realms r WHERE r.realm_id = $1`,
    values: [realmId],
  });
  const [row] = rows;
  if (!row) throw new Error(`realm ${realmId} does not exist`);
  const { hasLinkifiers, ...stored } = row;
  return { realm: realmRow(realmId, stored), hasLinkifiers };
}

const realmRow = (realmId: RealmId, row: Stored): RealmRow => ({
  ...row,
  realmId,
  settings: { ...defaultSettings(row.systemGroups), ...row.settings },
  texts: { ...NO_TEXTS, ...row.texts },
});
