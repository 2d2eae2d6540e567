import type { FeedReader, QueueProfile } from '@annals/kernel';
import type { ChannelId, Position } from '@annals/kernel/domain';
import { channelAggregate } from '../../domain/channel/channel';
import { Archived, Unarchived } from '../../domain/events';

/** Whether a channel was archived right after the event at a position. */
export type ArchivedAt = (channel: ChannelId, position: Position) => boolean;

/** Clients without the archive capability receive no events of archived channels (contract/channels.md section 6). */
export async function readArchivedAt(
  { client, realmId }: FeedReader,
  channels: readonly ChannelId[],
): Promise<ArchivedAt> {
  if (channels.length === 0) return () => false;
  const { rows } = await client.query<{ stream: string; position: Position; isArchived: boolean }>({
    name: 'channels-archived-at',
    text: `SELECT stream, position, type = $3 AS "isArchived" FROM events
      WHERE realm_id = $1 AND stream = ANY($2::text[]) AND type IN ($3, $4) ORDER BY position`,
    values: [realmId, channels.map((id) => channelAggregate.stream(id)), Archived.type, Unarchived.type],
  });
  return (id, at) => {
    const stream = channelAggregate.stream(id);
    return rows.findLast((event) => event.stream === stream && event.position <= at)?.isArchived ?? false;
  };
}

/**
 * The clients of an event: those that support archived channels, or those that do not. All if the event does not say.
 */
export interface ForClients {
  readonly clients?: 'new' | 'old';
}

export const isForClient = ({ clients }: ForClients, { capabilities }: QueueProfile): boolean =>
  clients === undefined || (clients === 'new') === capabilities.archived_channels;
