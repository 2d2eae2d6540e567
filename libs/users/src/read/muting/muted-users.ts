import type { RegisterBlock } from '@annals/kernel';
import { containsSql } from '@annals/kernel';
import type { Instant, RealmId, Span, UserId } from '@annals/kernel/domain';
import { covers, grouped, isCurrent, unixSeconds } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** One time that a user had another one muted. */
export interface MuteSpan extends Span {
  readonly userId: UserId;
  readonly mutedUserId: UserId;
  readonly mutedAt: Instant;
}

const SPANS = `SELECT user_id AS "userId", muted_user_id AS "mutedUserId", from_position AS "from", to_position AS "to",
  muted_at AS "mutedAt" FROM view.muted_users`;

/** All times that these users had others muted, in the order of the log. */
export async function readMuteSpans(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<MuteSpan[]> {
  const { rows } = await client.query<MuteSpan>({
    name: 'users-mute-spans',
    text: `${SPANS} WHERE realm_id = $1 AND user_id = ANY($2::int4[]) ORDER BY from_position`,
    values: [realmId, userIds],
  });
  return rows;
}

/** Whether a user had another one muted at a position. */
export type HadMuted = (user: UserId, other: UserId, position: number) => boolean;

export function hadMutedIn(spans: readonly MuteSpan[]): HadMuted {
  if (spans.length === 0) return () => false;
  const byPair = grouped(spans, ({ userId, mutedUserId }) => `${userId}:${mutedUserId}`);
  return (user, other, position) => covers(byPair.get(`${user}:${other}`) ?? [], position);
}

/** Reads who had these users muted, and when. */
export async function readHadMuted(
  client: Pool | ClientBase,
  realmId: RealmId,
  mutedUserIds: readonly UserId[],
): Promise<HadMuted> {
  const { rows } = await client.query<MuteSpan>({
    name: 'users-mutes-of',
    text: `${SPANS} WHERE realm_id = $1 AND muted_user_id = ANY($2::int4[]) ORDER BY from_position`,
    values: [realmId, mutedUserIds],
  });
  return hadMutedIn(rows);
}

/**
 * Condition: a user had another one muted when a message was sent.
 *
 * @param user expression for the id of the user
 * @param sender expression for the id of the other one
 * @param position expression for the position of the message
 */
export const hadMutedSql = (user: string, sender: string, position: string): string =>
  `EXISTS (SELECT FROM view.muted_users AS u WHERE u.realm_id = $1 AND u.user_id = ${user}
    AND u.muted_user_id = ${sender} AND ${containsSql('u', position)})`;

/**
 * Array of the ids of all users who had a user muted when a message was sent.
 *
 * @param sender expression for the id of the muted user
 * @param position expression for the position of the message
 */
export const mutersSql = (sender: string, position: string): string =>
  `ARRAY(SELECT u.user_id FROM view.muted_users AS u WHERE u.realm_id = $1
    AND u.muted_user_id = ${sender} AND ${containsSql('u', position)})`;

/** contract/boot.md section 4.1 */
export const presentMutes = (spans: readonly MuteSpan[]) =>
  spans.map(({ mutedUserId, mutedAt }) => ({ id: mutedUserId, timestamp: unixSeconds(mutedAt) }));

/** contract/boot.md section 4.1 */
export const mutedUsersRegisterBlock: RegisterBlock = {
  keys: ['muted_users'],
  async read({ client, realmId }, { userId }) {
    const spans = await readMuteSpans(client, realmId, [userId]);
    return { muted_users: presentMutes(spans.filter(isCurrent)) };
  },
};
