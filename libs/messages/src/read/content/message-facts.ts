import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelRow } from '@annals/channels';
import type { MessageId, Position, RealmId, Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ContentEdited, MessagesDeleted, MessagesMoved, TopicMoved } from '../../domain/events';
import type { LinksPreviewed } from '../../domain/previews/preview';
import type { MessageRestored } from '../../domain/restored-event';
import type { ReactionEvent } from '../../domain/reaction/reaction-events';
import type { WidgetEvent } from '../../domain/widgets/widget-events';
import type { Reaction } from '../reactions/reactions';
import { readReactions } from '../reactions/reactions';
import type { Submessage } from '../widgets/submessages';
import { readSubmessages } from '../widgets/submessages';
import type { TopicPlace } from '../placement/topic-facts';
import type { MessageRow } from './message-row';
import { readMessageRows } from './message-row';

/** A message, its reactions and what its widget is made of, without the place where its topic is. */
export class CachedMessage {
  private last: { readonly topic: TopicPlace; readonly channel: ChannelRow; readonly row: MessageRow } | null = null;

  /** @param row as it was read; the topic may have moved since then */
  constructor(
    readonly row: MessageRow,
    readonly reactions: readonly Reaction[],
    /** Undefined for a message without a widget. */
    readonly submessages: readonly Submessage[] | undefined,
  ) {}

  /** The message where its topic is now. */
  placedIn(topic: TopicPlace, channel: ChannelRow): MessageRow {
    if (this.last?.topic === topic && this.last.channel === channel) return this.last.row;
    const { row } = this;
    // A message that was in its topic when this moved arrived with it: the message would have been dropped if it had moved itself.
    const cameWithTopic = topic.cameFromChannelAt > row.topicArrived;
    const placed: MessageRow = {
      ...row,
      channelId: channel.id,
      channelName: channel.name,
      topic: topic.name,
      arrived: cameWithTopic ? (topic.cameFromChannelAt as Position) : row.arrived,
      wasMoved: row.wasMoved || topic.wasMoved,
      isHistoryProtected: !channel.historyPublicToSubscribers,
    };
    this.last = { topic, channel, row: placed };
    return placed;
  }
}

/**
 * Messages as they are now, cached in the process; exact for readers that have passed the fence, but for the place of the
 * topic, which `TopicFacts` has. So no move of a topic drops its messages.
 */
@Injectable()
export class MessageFacts {
  private readonly messages: FactCache<CachedMessage>;

  constructor(private readonly kernel: Kernel) {
    this.messages = kernel.facts<CachedMessage>({ touched, load: (realmId, keys) => this.load(realmId, keys) });
  }

  /** Those that do not exist are left out. */
  byIds(realmId: RealmId, ids: readonly MessageId[]): Promise<Map<MessageId, CachedMessage>> {
    return this.messages.getMany(realmId, ids);
  }

  private async load(realmId: RealmId, keys: readonly string[]): Promise<Map<string, CachedMessage>> {
    const { pool } = this.kernel.database;
    const ids = keys.map(Number) as MessageId[];
    const [rows, reactions] = await Promise.all([
      readMessageRows(pool, realmId, ids, 'now'),
      readReactions(pool, realmId, ids),
    ]);
    const submessages = await readSubmessages(pool, realmId, rows);
    return new Map(
      rows.map((row) => {
        return [String(row.id), new CachedMessage(row, reactions.get(row.id) ?? [], submessages.get(row.id))];
      }),
    );
  }
}

/** A message that did not exist is cached as such, so sending one touches it. */
function touched(event: Recorded): readonly MessageId[] {
  switch (event.type) {
    case 'messages.MessageSent':
      return [messageIdAt(event.position)];
    case 'messages.ContentEdited':
    case 'messages.LinksPreviewed':
      return [(event as Recorded<ContentEdited | LinksPreviewed>).data.messageId];
    case 'messages.ReactionAdded':
    case 'messages.ReactionRemoved':
    case 'messages.PollVoted':
    case 'messages.PollOptionAdded':
    case 'messages.PollQuestionChanged':
    case 'messages.TaskAdded':
    case 'messages.TaskToggled':
    case 'messages.TaskListRenamed':
      return [(event as Recorded<ReactionEvent | WidgetEvent>).data.messageId];
    case 'messages.MessagesMoved':
      return (event as Recorded<MessagesMoved>).data.messageIds;
    case 'messages.MessageRestored':
      return [(event as Recorded<MessageRestored>).data.messageId];
    case 'messages.MessagesDeleted':
      return (event as Recorded<MessagesDeleted>).data.messageIds;
    case 'messages.TopicMoved':
      return (event as Recorded<TopicMoved>).data.left?.messageIds ?? [];
    default:
      return [];
  }
}
