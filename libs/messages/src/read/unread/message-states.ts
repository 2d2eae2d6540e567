import { ChannelFacts, SubscriptionFacts } from '@annals/channels';
import type { ChannelPrivacy, SpansByChannel, SubscriptionSpan } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import { ascending, covers, isCurrent } from '@annals/kernel/domain';
import type { HadMuted } from '@annals/users';
import { MutedUserFacts, hadMutedIn } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { ReadStateFacts } from '../flags/read-state-facts';
import type { ReadState } from '../flags/read-states';
import { firstDeparture } from '../history/timeline/timeline';
import type { Arrival } from '../placement/read-on-arrival';
import { wasReadOnArrival } from '../placement/read-on-arrival';
import type { VisibilityFacts, ReaderFacts } from '../visibility/visibility';
import { isReceived, isVisible } from '../visibility/visibility';
import type { MessageState } from './message-flags-query';
import { readMessageStates } from './message-flags-query';
import type { AlikeMessages } from './alike-messages';
import { readAlikeMessages } from './alike-messages';
import { readUnread } from './still-unread';
import type { UnreadFacts } from './unread-rule';
import { isUnread } from './unread-rule';

/** The facts of a message on which its state depends, beside the reader. */
export interface StatedMessage extends VisibilityFacts, Arrival {
  readonly text: { readonly position: number };
  readonly userIds: readonly Actor['userId'][];
  readonly mentionedWhenSent: readonly Actor['userId'][];
}

/**
 * States of messages for a user, computed from facts that the process has cached. `readMessageStates` reads the states of
 * messages that changed their channel, and of those that are newer than the cached facts.
 */
@Injectable()
export class MessageStates {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly spans: SubscriptionFacts,
    private readonly muted: MutedUserFacts,
    private readonly states: ReadStateFacts,
  ) {}

  /** For a user who has passed the fence; messages that the user cannot see are left out. */
  async of(by: Actor, rows: readonly StatedMessage[]): Promise<MessageState[]> {
    if (rows.length === 0) return [];
    const { realmId, userId } = by;
    const { pool } = this.kernel.database;
    const reached = await this.kernel.fence.reached(realmId);
    const plain = rows.filter((row) => isPlain(row, reached));
    const others = rows.filter((row) => !isPlain(row, reached)).map(({ id }) => id);
    const ids = plain.map(({ id }) => id);
    const channelIds = new Set(plain.flatMap(({ channelId }) => channelId ?? []));
    const [spans, mutes, channels, state, read] = await Promise.all([
      this.spans.of(realmId, userId),
      this.muted.of(realmId, userId),
      this.channels.byIds(realmId, [...channelIds]),
      this.states.of(by, ids),
      readMessageStates(pool, by, others),
    ]);
    const hadMuted = hadMutedIn(mutes);
    const known = plain.flatMap((row) => {
      const channel = row.channelId === null ? null : (channels.get(row.channelId) ?? null);
      return stateOf(row, channel, { by, spans, state, hadMuted }) ?? [];
    });
    return [...known, ...read];
  }

  /** Which of some messages are unread, ascending, for a user who has passed the fence. */
  async unreadAmong(
    by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>,
    ids: readonly MessageId[],
  ): Promise<readonly MessageId[]> {
    if (ids.length === 0) return ids;
    const { realmId, userId } = by;
    const { pool } = this.kernel.database;
    const reached = await this.kernel.fence.reached(realmId);
    const [spans, mutes] = [await this.spans.of(realmId, userId), await this.muted.of(realmId, userId)];
    const mutedUsers = mutes.map(({ mutedUserId }) => mutedUserId);
    const [groups, state] = await Promise.all([
      readAlikeMessages(pool, by, ids, { mutedUsers, reached }),
      this.states.of(by, ids),
    ]);
    const reading: Reading = { by, spans, state, hadMuted: hadMutedIn(mutes) };
    const known = groups.flatMap(({ needsPast, channelId, ids: alike, ...group }) => {
      if (needsPast) return [];
      const facts = unreadFacts(channelId, group, reading);
      return alike.filter((id) => isUnread(id, facts));
    });
    const others = await readUnread(
      pool,
      by,
      groups.flatMap((group) => (group.needsPast ? group.ids : [])),
    );
    return ascending([...known, ...others]);
  }
}

/** Whether what is cached decides: the message never changed its channel, and its text is not newer. */
const isPlain = ({ id, arrived, channelId, sentChannelId, text }: StatedMessage, reached: number): boolean =>
  arrived === (id as number) && channelId === sentChannelId && text.position <= reached;

/** The facts about one reader. */
interface Reading {
  readonly by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>;
  readonly spans: SpansByChannel;
  readonly state: ReadState;
  readonly hadMuted: HadMuted;
}

const NEVER: readonly SubscriptionSpan[] = [];

/** The facts that decide whether the reader can see one message. */
class FactsAbout implements ReaderFacts {
  constructor(
    private readonly row: StatedMessage,
    private readonly reading: Reading,
  ) {}

  get reader(): Reading['by'] {
    return this.reading.by;
  }

  spansIn(channel: ChannelId): readonly SubscriptionSpan[] {
    return this.reading.spans.get(channel) ?? NEVER;
  }

  isIn(): boolean {
    return this.row.userIds.includes(this.reader.userId);
  }

  isMentionedBy(): boolean {
    return this.row.mentionedWhenSent.includes(this.reader.userId);
  }
}

/** The rule of decision 41 for a message that never changed its channel; undefined where the user cannot see it. */
function stateOf(row: StatedMessage, channel: ChannelPrivacy | null, reading: Reading): MessageState | undefined {
  const { state } = reading;
  const { id, channelId } = row;
  const facts = new FactsAbout(row, reading);
  if (!isVisible(row, channel, facts)) return undefined;
  const wasRead = wasReadOnArrival(row, reading.by.userId);
  const elsewhere = channel?.historyPublicToSubscribers ? 'shared-history' : 'granted';
  return {
    id,
    basis: isReceived(row, facts) ? 'received' : elsewhere,
    isRead: !isUnread(id, unreadFacts(channelId, { senderId: row.senderId, wasRead }, reading)),
    isStarred: state.isStarred(id),
    isCollapsed: state.isCollapsed(id),
  };
}

/** The facts of the rule for messages that never changed their channel. */
function unreadFacts(
  channelId: ChannelId | null,
  { senderId, wasRead }: Pick<AlikeMessages, 'senderId' | 'wasRead'>,
  { by, spans, state, hadMuted }: Reading,
): UnreadFacts {
  const own = channelId === null ? null : (spans.get(channelId) ?? NEVER);
  const isSubscribed = own?.some(isCurrent) ?? true;
  return {
    state,
    isReceived: (id) => own === null || covers(own, id),
    wasRead: (id) => wasRead || hadMuted(by.userId, senderId, id),
    isRetained: (_, since) => isSubscribed && (own === null || firstDeparture(own, since, Infinity) === undefined),
  };
}
