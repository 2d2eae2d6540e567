import { readMembership } from '@annals/groups';
import type { Recorded, RealmId } from '@annals/kernel/domain';
import type { MessageSent } from '@annals/messages/events';
import type { ClientBase } from 'pg';
import type { PossibleQuery } from '../possible-queries';
import { readWebhookBots } from './delivery-rows';

/** Whether a message in a channel mentions groups, whose members may be bots. */
export function mentionsGroups(event: Recorded): event is Recorded<MessageSent> {
  if (event.type !== 'messages.MessageSent') return false;
  const { place, mentions } = (event as Recorded<MessageSent>).data;
  return 'channelId' in place && mentions.groupIds.length > 0;
}

/** The bots with a webhook that are mentioned by a group: its members when the message was sent. */
export async function addressedByGroup(
  client: ClientBase,
  realmId: RealmId,
  page: readonly Recorded[],
): Promise<PossibleQuery[]> {
  const posts = page.filter(mentionsGroups);
  const bots = posts.length === 0 ? [] : await readWebhookBots(client, realmId);
  if (bots.length === 0) return [];
  const groups = [...new Set(posts.flatMap(({ data }) => data.mentions.groupIds))];
  const isIn = await readMembership({ client, realmId }, groups, bots);
  return posts.flatMap((post) => {
    const { position, at, data } = post;
    const mentioned = bots.filter((bot) => data.mentions.groupIds.some((group) => isIn(group, bot, post)));
    return mentioned.map((accountId) => ({ position, at, senderId: data.senderId, accountId }));
  });
}
