import type { FeedReader } from '@annals/kernel';
import { containsSql, defineFeed, translate } from '@annals/kernel';
import type { ChannelId, Position, Recorded, UserId } from '@annals/kernel/domain';
import { administratorsOf, botEvent } from '@annals/users';
import { ChannelRenamed } from '../domain/events';

/** A bot with a renamed channel as one of its defaults, and the owner of the bot right after the event. */
interface BotDefault {
  readonly position: Position;
  readonly userId: UserId;
  readonly ownerId: UserId | null;
  readonly property: 'default_sending_stream' | 'default_events_register_stream';
}

/** Clients know the default channels of bots by name (contract/realtime.md section 6.3, `realm_bot`). */
export const botsFeed = defineFeed({
  name: 'bots-of-channels',
  facts: readBotDefaults,
  translations: [
    translate(ChannelRenamed, ({ position }, defaults: readonly BotDefault[]) =>
      defaults
        .filter((one) => one.position === position)
        .map(({ userId, ownerId, property }) =>
          botEvent({ op: 'update', userId, property }, administratorsOf(ownerId)),
        ),
    ),
  ],
});

async function readBotDefaults(
  { client, realmId }: FeedReader,
  events: readonly Recorded[],
): Promise<readonly BotDefault[]> {
  const renamed = events.filter((event): event is Recorded<ChannelRenamed> => event.type === ChannelRenamed.type);
  if (renamed.length === 0) return [];
  const channels: ChannelId[] = renamed.map(({ data }) => data.channelId);
  const { rows } = await client.query<BotDefault>({
    name: 'channels-bot-defaults',
    text: `SELECT r.position, c.bot_id AS "userId", o.owner_id AS "ownerId",
        CASE c.what WHEN 'sending_channel' THEN 'default_sending_stream'
          ELSE 'default_events_register_stream' END AS property
      FROM unnest($2::int8[], $3::int8[]) AS r(channel_id, position)
      JOIN view.bot_channels AS c ON c.realm_id = $1 AND c.channel_id = r.channel_id
        AND ${containsSql('c', 'r.position')}
      JOIN view.account_spans AS s ON s.realm_id = $1 AND s.user_id = c.bot_id AND s.is_active
        AND ${containsSql('s', 'r.position')}
      JOIN view.bot_ownerships AS o ON o.realm_id = $1 AND o.bot_id = c.bot_id
        AND ${containsSql('o', 'r.position')}
      ORDER BY c.bot_id, property`,
    values: [realmId, channels, renamed.map(({ position }) => position)],
  });
  return rows;
}
