import type { ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A user's settings for a subscription. Null inherits the user's own setting. */
export interface PersonalSettings {
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  readonly desktopNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

/** Column `personal` from `view.subscriptions AS s`: null without a row. */
export const PERSONAL_COLUMN = `CASE WHEN s.user_id IS NOT NULL THEN jsonb_build_object(
    'color', s.color, 'isMuted', s.is_muted, 'pinToTop', s.pin_to_top,
    'desktopNotifications', s.desktop_notifications, 'emailNotifications', s.email_notifications,
    'pushNotifications', s.push_notifications, 'audibleNotifications', s.audible_notifications,
    'wildcardMentionsNotify', s.wildcard_mentions_notify) END AS personal`;

/** Settings of users for channels, by `personalKey`. */
export type PersonalByPerson = ReadonlyMap<string, PersonalSettings>;
export const personalKey = (user: UserId, channel: ChannelId): string => `${user}:${channel}`;

/** Reads the settings of these users for these channels, also for former subscriptions. */
export async function readPersonal(
  client: Pool | ClientBase,
  realmId: RealmId,
  users: readonly UserId[],
  channels: readonly ChannelId[],
): Promise<PersonalByPerson> {
  if (users.length === 0 || channels.length === 0) return new Map();
  const { rows } = await client.query<{ user_id: UserId; channel_id: ChannelId; personal: PersonalSettings }>({
    name: 'channels-personal',
    text: `SELECT s.user_id, s.channel_id, ${PERSONAL_COLUMN} FROM view.subscriptions AS s
      WHERE s.realm_id = $1 AND s.user_id = ANY($2::int8[]) AND s.channel_id = ANY($3::int8[])`,
    values: [realmId, users, channels],
  });
  return new Map(rows.map((row) => [personalKey(row.user_id, row.channel_id), row.personal]));
}
