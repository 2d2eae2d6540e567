import { readChannelsAt } from '@annals/channels';
import type { ChannelPrivacy } from '@annals/channels';
import { readGroupHistory } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import { containsSql } from '@annals/kernel';
import type { ChannelId, GroupId, LogPoint, MessageId, Role, Span, UserId } from '@annals/kernel/domain';
import { covers, isCurrent, isGuest, spansAsOf } from '@annals/kernel/domain';
import { readPlacements } from '../history/timeline/placements';
import { readSubscriptions } from '../history/timeline/subscriptions';
import type { VisibilityFacts } from '../visibility/visibility';
import { isVisible } from '../visibility/visibility';
import type { SentMessage } from './past-messages';
import { readExistingThen } from './past-messages';

/**
 * Why somebody could read a message (contract/audit.md section 3): they were subscribed when it arrived, or are since;
 * they are in the conversation; it mentioned them, or is their own; a group may read the channel; the channel is open.
 */
export const READING_REASONS = ['subscriber', 'history', 'direct', 'mention', 'group', 'public'] as const;
export type ReadingReason = (typeof READING_REASONS)[number];

/** A user who could read a message. */
export interface PastReader {
  readonly userId: UserId;
  readonly because: ReadingReason;
}

interface Person {
  readonly userId: UserId;
  readonly role: Role;
}

/**
 * The users who could read a message at a moment, by the rule of today (`isVisible`) with what held then. For a message that did
 * not exist then, the list is empty. Accounts that were not active then are left out. The list is ordered by user id.
 */
export async function readPastAudience(reader: FeedReader, id: MessageId, on: LogPoint): Promise<PastReader[]> {
  const { client, realmId } = reader;
  const [sent] = (await readExistingThen(client, realmId, [id], on.position)).existing;
  if (!sent) return [];
  const groups = await readGroupHistory(reader, null);
  const accounts = new Set(groups.users);
  const people = (await readActive(reader, on)).filter(({ userId }) => accounts.has(userId));
  const { place } = sent.data;
  if ('userIds' in place) {
    const participants = new Set(place.userIds);
    return people.filter(({ userId }) => participants.has(userId)).map(({ userId }) => ({ userId, because: 'direct' }));
  }
  const message = await placed(reader, sent, place.channelId, on);
  const channel =
    message && (await readChannelsAt(reader, [message.channelId], on.position)).at(message.channelId, on.position);
  if (!message || !channel) return [];
  const users = people.map(({ userId }) => userId);
  const spansOf = await readSubscriptions(client, realmId, { channels: [message.channelId], users, since: 0 });
  const inGroups = (person: Person): ReadonlySet<GroupId> => (channel.inviteOnly ? groups.groupsOf(person, on) : NONE);
  const mentioned = new Set(sent.data.mentions.userIds);
  return people.flatMap((person): PastReader[] => {
    const { userId } = person;
    const spans = spansAsOf(spansOf(message.channelId, userId), on.position);
    const facts = {
      reader: { ...person, groups: inGroups(person) },
      spansIn: (asked: ChannelId) => (asked === message.channelId ? spans : []),
      isIn: () => false,
      isMentionedBy: () => mentioned.has(userId),
    };
    if (!isVisible(message, channel, facts)) return [];
    return [{ userId, because: reasonOf(message, channel, person, spans) }];
  });
}

const NONE: ReadonlySet<GroupId> = new Set();

/** Why a user who can read the message can. */
function reasonOf(
  { arrived }: Pick<VisibilityFacts, 'arrived'>,
  channel: ChannelPrivacy,
  person: Person,
  spans: readonly Span[],
): ReadingReason {
  const wasThere = covers(spans, arrived);
  if (spans.some(isCurrent)) {
    if (wasThere) return 'subscriber';
    return channel.historyPublicToSubscribers ? 'history' : 'mention';
  }
  if (channel.isWebPublic || (!channel.inviteOnly && !isGuest(person))) return 'public';
  return channel.historyPublicToSubscribers || wasThere ? 'group' : 'mention';
}

/** The message where it was. Undefined before it was sent. */
async function placed({ client, realmId }: FeedReader, sent: SentMessage, sentChannelId: ChannelId, on: LogPoint) {
  const { id, data } = sent;
  const placements = await readPlacements(client, realmId, [id]);
  const channelId = placements.channelAt(id, on.position);
  if (channelId === undefined) return undefined;
  const arrived = placements.arrivedAt(id, on.position);
  return { id, senderId: data.senderId, channelId, sentChannelId, conversationId: null, arrived };
}

/** Accounts that were active, with the roles that they had. */
async function readActive({ client, realmId }: FeedReader, { position }: LogPoint): Promise<Person[]> {
  const { rows } = await client.query<Person>({
    name: 'messages-past-active-accounts',
    text: `SELECT user_id AS "userId", role FROM view.account_spans AS s
      WHERE realm_id = $1 AND is_active AND ${containsSql('s', '$2')}
      ORDER BY user_id`,
    values: [realmId, position],
  });
  return rows;
}
