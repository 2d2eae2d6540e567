import { DormantChannels, noNamedTopics } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId, TopicId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { MoveRequest, NamedPlace, TargetTopics, TopicPart, TopicPortion } from '../../domain/move/move';
import {
  changesChannel,
  countMoved,
  listedPart,
  moveEvents,
  onlyResolves,
  countNewTopics,
  namedIn,
} from '../../domain/move/move';
import type { TopicEvent } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';
import { FirstMessages } from './first-messages';
import { emptiedKey, messageKey, messageThere, topicEmptied } from '../access/guards';
import type { MoveContext } from './move-context';
import { MoveContextLoader } from './move-context';
import { registerTopic } from '../send/open-message';

/** The outcome of a move. */
export interface MoveResult {
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  /** A message that is now in the new place. */
  readonly arrived: MessageId;
  /** A message that stayed in the old place; null where the actor sees none there. */
  readonly stayed: MessageId | null;
  /** How many messages moved. */
  readonly messages: number;
  /** Whether all messages of the topic that the actor can see moved. */
  readonly isWhole: boolean;
  /** Whether the new topic had messages before. */
  readonly targetExisted: boolean;
  /** Whether the move only marked the topic as resolved or unresolved. */
  readonly onlyResolves: boolean;
}

/** Writes the events of a move that is allowed. */
@Injectable()
export class MoveExecutor {
  constructor(
    private readonly kernel: Kernel,
    private readonly contexts: MoveContextLoader,
    private readonly dormant: DormantChannels,
    private readonly first: FirstMessages,
  ) {}

  async apply(work: Work, context: MoveContext): Promise<MoveResult> {
    const { move } = context;
    const portions = await this.contexts.portions(work, context);
    const targets = await this.targets(work, move, portions, context);
    this.guardMessages(work, move, portions, context);
    if (move.to.name !== '') work.changesGuard(noNamedTopics, move.to.channelId);
    for (const target of targets.byName.values()) work.changesGuard(topicEmptied, target);
    if (changesChannel(move)) await this.dormant.wake(work, move.to.channelId);
    const { settings } = await organization(work);
    const facts = namedIn(settings.default_language, moveEvents(move, portions, targets));
    for (const { topicId, event } of facts) {
      if (targets.newTopicIds.includes(topicId)) work.append(topicAggregate.stream(topicId), [event]);
      else await work.decide(topicAggregate, topicId, () => [event]);
    }
    const [there] = facts.flatMap(({ event }) => topicNamedBy(event, move.to) ?? []);
    if (there !== undefined) registerTopic(work, { ...move.to, topicId: there });
    if (changesChannel(move)) await this.changeFirst(work, move, portions, context);
    return {
      from: move.from,
      to: move.to,
      arrived: move.messageId,
      stayed: stayedBehind(context),
      messages: countMoved(move, portions),
      isWhole: context.found.every(({ going, visible }) => going === visible),
      targetExisted: context.facts.targetExists,
      onlyResolves: onlyResolves(move),
    };
  }

  /** Updates the first message of both channels. */
  private async changeFirst(
    work: Work,
    { from, to }: MoveRequest,
    portions: readonly TopicPortion[],
    { found, reach }: MoveContext,
  ): Promise<void> {
    const named = (part: TopicPart) => portions.filter((portion) => listedPart(portion) === part);
    const going = {
      messageIds: [...named('going').flatMap(({ listed }) => listed), ...reach.without.map(({ id }) => id)],
      topicIds: portions
        .filter((portion) => portion.going > 0 && listedPart(portion) !== 'going')
        .map(({ topic }) => topic.id),
      staying: named('staying').flatMap(({ listed }) => listed),
    };
    await this.first.afterRemoval(work, from.channelId, going);
    const [oldest] = ascending(found.flatMap(({ oldestGoing }) => oldestGoing ?? []));
    if (oldest !== undefined) await this.first.afterArrival(work, to.channelId, oldest);
  }

  /**
   * Messages are added to the oldest topic with exactly the new name. A topic that was moved to its channel as a whole is left
   * out, because the arrival of its messages is stored once for all of them.
   */
  private async targets(
    work: Work,
    move: MoveRequest,
    portions: readonly TopicPortion[],
    { targets }: MoveContext,
  ): Promise<TargetTopics> {
    const open = targets.filter(({ topic }) => topic.since === 0).reverse();
    const byName = new Map(open.map(({ name, topic }) => [name, topic.id]));
    const newTopicIds: TopicId[] = [];
    for (let n = countNewTopics(move, portions, byName); n > 0; n--) {
      newTopicIds.push(await this.kernel.ids.next(work.realmId, 'topic'));
    }
    return { byName, newTopicIds };
  }

  /**
   * The append depends on the listed messages being there, and on a message being left where only a part moves. A topic that
   * moves as a whole includes messages that are sent meanwhile, unless the request names the messages or the actor cannot see
   * all of them.
   */
  private guardMessages(
    work: Work,
    move: MoveRequest,
    portions: readonly TopicPortion[],
    { found, reach }: MoveContext,
  ): void {
    const named = portions.flatMap(({ listed }) => listed);
    const ends = found.flatMap(({ oldestGoing, oldestStaying }) => [oldestGoing ?? [], oldestStaying ?? []].flat());
    for (const id of new Set([...named, ...ends])) work.guard(messageThere, messageKey(id));
    work.touchesRows(2 * named.length);
    if (move.mode !== 'change_one' && reach.allVisible && reach.only === null) return;
    for (const portion of portions) {
      const { topic, total, going } = portion;
      const deleted = reach.without.filter(({ topicId }) => topicId === topic.id).length;
      if (going > 0 && listedPart(portion) !== 'going') {
        work.guard(topicEmptied, emptiedKey(topic.id, total + deleted));
      }
    }
  }
}

/** The topic that has the new name by this event; null where the event names another topic. */
function topicNamedBy(event: TopicEvent, to: NamedPlace): TopicId | null {
  if (event.type !== 'messages.TopicStarted' && event.type !== 'messages.TopicMoved') return null;
  const { topicId } = event.data;
  const channel = 'to' in event.data ? event.data.to : event.data.channelId;
  return channel === to.channelId && event.sealed.name === to.name ? topicId : null;
}

function stayedBehind({ found, reach }: MoveContext): MessageId | null {
  return reach.allVisible ? (found.find(({ oldestStaying }) => oldestStaying !== null)?.oldestStaying ?? null) : null;
}
