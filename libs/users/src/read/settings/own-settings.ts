import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import type { OwnSettingsChanged, ProfileDeleted } from '../../domain/events';
import type { OwnSettings } from '../../domain/settings/settings';
import { INITIAL_SETTINGS } from '../../domain/settings/settings';

/** The chosen settings of these accounts. Accounts without any are left out. */
export async function readOwnSettings(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly number[],
): Promise<Map<number, Partial<OwnSettings>>> {
  const { rows } = await client.query<{ user_id: UserId; settings: Partial<OwnSettings> }>({
    name: 'users-own-settings',
    text: `SELECT user_id, jsonb_object_agg(name, value) AS settings FROM view.own_settings
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) GROUP BY user_id`,
    values: [realmId, userIds],
  });
  return new Map(rows.map((row) => [row.user_id, row.settings]));
}

/** The settings of one account, chosen or not. */
export async function settingsOf(client: Pool | ClientBase, realmId: RealmId, userId: UserId): Promise<OwnSettings> {
  const chosen = await readOwnSettings(client, realmId, [userId]);
  return { ...INITIAL_SETTINGS, ...chosen.get(userId) };
}

/** The settings of these accounts, chosen or not. */
export async function readEffectiveSettings(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<Map<UserId, OwnSettings>> {
  const chosen = await readOwnSettings(client, realmId, userIds);
  return new Map(userIds.map((id) => [id, { ...INITIAL_SETTINGS, ...chosen.get(id) }]));
}

/** The organization's defaults for new users. Those that it never chose are left out. */
export async function readDefaultSettings(client: Pool | ClientBase, realmId: RealmId): Promise<Partial<OwnSettings>> {
  const { rows } = await client.query<{ settings: Partial<OwnSettings> | null }>({
    name: 'users-default-settings',
    text: 'SELECT jsonb_object_agg(name, value) AS settings FROM view.default_settings WHERE realm_id = $1',
    values: [realmId],
  });
  return rows[0]?.settings ?? {};
}

/** Settings that users chose for themselves, cached in the process. Exact after the fence. */
@Injectable()
export class OwnSettingsFacts {
  private readonly chosen: FactCache<Partial<OwnSettings>>;

  constructor(kernel: Kernel) {
    this.chosen = kernel.facts<Partial<OwnSettings>>({
      touched: (event) => (isAboutSettings(event) ? [event.data.userId] : []),
      load: async (realmId, keys) => {
        const chosen = await readOwnSettings(kernel.database.pool, realmId, keys.map(Number));
        return new Map([...chosen].map(([userId, settings]) => [String(userId), settings]));
      },
    });
  }

  async of(realmId: RealmId, userId: UserId): Promise<OwnSettings> {
    return { ...INITIAL_SETTINGS, ...(await this.chosen.get(realmId, userId)) };
  }

  /** Those of these accounts that have this value of a setting. */
  async usersWith<Name extends keyof OwnSettings>(
    realmId: RealmId,
    userIds: readonly UserId[],
    name: Name,
    value: OwnSettings[Name],
  ): Promise<UserId[]> {
    const chosen = await this.chosen.getMany(realmId, userIds);
    return userIds.filter((userId) => {
      const choice = chosen.get(userId)?.[name];
      return (choice === undefined ? INITIAL_SETTINGS[name] : choice) === value;
    });
  }
}

const isAboutSettings = (event: Recorded): event is Recorded<OwnSettingsChanged | ProfileDeleted> =>
  event.type === 'users.OwnSettingsChanged' || event.type === 'users.ProfileDeleted';
