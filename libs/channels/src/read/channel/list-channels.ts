import type { Actor, ChannelId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { READER, isSubscribedSql, readerValues, seesContentSql, seesMetadataSql } from '../access-sql';
import type { ChannelActivity } from './activity';
import { ACTIVITY_COLUMNS } from './activity';
import type { ChannelRow } from './channel-row';
import { CHANNEL_COLUMNS } from './channel-row';
import type { PersonalSettings } from '../subscription/personal-settings';
import { PERSONAL_COLUMN } from '../subscription/personal-settings';

/** A channel as one account sees it. */
export interface ListedChannel extends ChannelRow, ChannelActivity {
  readonly isSubscribed: boolean;
  /** Null for an account that was never subscribed, and where it is not read. */
  readonly personal: PersonalSettings | null;
}

/** The user for whom the list is read. */
export type ChannelViewer = Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups' | 'botOwnerId'>;

const SUBSCRIBED = 'own.user_id IS NOT NULL';
const VISIBLE = seesMetadataSql('c', SUBSCRIBED);

/** The requested channels (contract/channels.md section 3). */
const SOURCES = {
  /** All that the viewer can see. */
  visible: VISIBLE,
  public: '(NOT c.invite_only AND NOT r.is_guest)',
  'web-public': 'c.is_web_public',
  subscribed: `(${SUBSCRIBED})`,
  content: seesContentSql('c', SUBSCRIBED),
  /** Those of a bot's owner that the bot can see itself. */
  'subscribed by owner': `(${isSubscribedSql('c', '$7::int8')} AND ${VISIBLE})`,
} as const;
export type ChannelSource = keyof typeof SOURCES;

/** The viewer's own settings for a channel. They are not read of the past. */
const PERSONAL = {
  column: PERSONAL_COLUMN,
  join: `LEFT JOIN view.subscriptions AS s ON s.realm_id = c.realm_id AND s.channel_id = c.channel_id
        AND s.user_id = r.user_id`,
} as const;
const NOT_PERSONAL = { column: 'NULL AS personal', join: '' } as const;

/** Which channels are listed. */
export interface AskedChannels {
  readonly sources: readonly ChannelSource[];
  /** This one, if it is among them. Null for all. */
  readonly only: ChannelId | null;
}

/** The channels of all these sources together, by name. @param only this one, if it is among them */
export const listChannels = (
  client: Pool | ClientBase,
  viewer: ChannelViewer,
  sources: readonly ChannelSource[],
  only: ChannelId | null = null,
): Promise<ListedChannel[]> => readList(client, viewer, { sources, only }, PERSONAL);

/** The same without the viewer's own settings, also of the past. */
export const listPlainChannels = (
  client: Pool | ClientBase,
  viewer: ChannelViewer,
  asked: AskedChannels,
): Promise<ListedChannel[]> => readList(client, viewer, asked, NOT_PERSONAL);

async function readList(
  client: Pool | ClientBase,
  viewer: ChannelViewer,
  { sources, only }: AskedChannels,
  personal: typeof PERSONAL | typeof NOT_PERSONAL,
): Promise<ListedChannel[]> {
  if (sources.length === 0) return [];
  const { rows } = await client.query<ListedChannel>({
    text: `SELECT ${CHANNEL_COLUMNS}, ${ACTIVITY_COLUMNS}, ${SUBSCRIBED} AS "isSubscribed", ${personal.column}
      FROM ${READER} CROSS JOIN view.channels AS c
      JOIN view.channel_activity AS f ON f.realm_id = c.realm_id AND f.channel_id = c.channel_id
      LEFT JOIN view.memberships AS own ON own.realm_id = c.realm_id AND own.channel_id = c.channel_id
        AND own.user_id = r.user_id AND own.to_position IS NULL
      ${personal.join}
      WHERE c.realm_id = $1 AND ($6::int8 IS NULL OR c.channel_id = $6)
        AND (${sources.map((source) => SOURCES[source]).join(' OR ')})
      ORDER BY c.name COLLATE "C"`,
    values: [...readerValues(viewer), only, ...(sources.includes('subscribed by owner') ? [viewer.botOwnerId] : [])],
  });
  return rows;
}
