import { DormantChannels, noNamedTopics } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId, TopicId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Move, NamedPlace, Receiving, Share } from '../../domain/move/move';
import {
  changesChannel,
  countMoved,
  isListed,
  move as moved,
  onlyResolves,
  topicsToBegin,
} from '../../domain/move/move';
import type { TopicEvent } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';
import { FirstMessages } from './first-messages';
import { emptiedKey, messageKey, messageThere, topicEmptied } from '../access/guards';
import type { MoveGround } from './move-context';
import { MoveGrounds } from './move-context';
import { Posting } from '../send/posting';

/** What a move did. */
export interface Moved {
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  /** One that is now in the new place. */
  readonly arrived: MessageId;
  /** One that stayed in the old place; null where none did, or perhaps only such as the actor cannot see. */
  readonly stayed: MessageId | null;
  /** How many messages went. */
  readonly messages: number;
  /** Whether all of the topic went that the actor could see. */
  readonly isWhole: boolean;
  /** Whether there were messages in the new topic before. */
  readonly targetExisted: boolean;
  /** Whether it only said that its topic is resolved, or no longer is. */
  readonly onlyResolves: boolean;
}

/** Carries moves out once they are allowed. */
@Injectable()
export class Moving {
  constructor(
    private readonly kernel: Kernel,
    private readonly grounds: MoveGrounds,
    private readonly dormant: DormantChannels,
    private readonly first: FirstMessages,
    private readonly posting: Posting,
  ) {}

  async carryOut(work: Work, move: Move, ground: MoveGround): Promise<Moved> {
    const shares = await this.grounds.shares(work, ground);
    const receiving = await this.receiving(work, move, shares, ground);
    this.restOn(work, move, shares, ground);
    if (move.to.name !== '') work.changesGuard(noNamedTopics, move.to.channelId);
    for (const target of receiving.targets.values()) work.changesGuard(topicEmptied, target);
    if (changesChannel(move)) await this.dormant.wake(work, move.to.channelId);
    const facts = moved(move, shares, receiving);
    for (const { topicId, event } of facts) {
      if (receiving.fresh.includes(topicId)) work.append(topicAggregate.stream(topicId), [event]);
      else await work.decide(topicAggregate, topicId, () => [event]);
    }
    const [there] = facts.flatMap(({ event }) => topicThere(event, move.to) ?? []);
    if (there !== undefined) this.posting.brings(work, move.to, there);
    if (changesChannel(move)) await this.changeFirst(work, move, shares, ground);
    return {
      from: move.from,
      to: move.to,
      arrived: move.messageId,
      stayed: stayedBehind(ground),
      messages: countMoved(move, shares),
      isWhole: ground.found.every(({ going, visible }) => going === visible),
      targetExisted: ground.facts.targetExists,
      onlyResolves: onlyResolves(move),
    };
  }

  /** Which message is the oldest of both channels. */
  private async changeFirst(
    work: Work,
    { from, to }: Move,
    shares: readonly Share[],
    { found }: MoveGround,
  ): Promise<void> {
    const named = (which: 'going' | 'staying') => shares.filter((share) => isListed(share) === which);
    const going = {
      messageIds: named('going').flatMap(({ listed }) => listed),
      topicIds: shares.filter((share) => share.going > 0 && isListed(share) !== 'going').map(({ topic }) => topic.id),
      staying: named('staying').flatMap(({ listed }) => listed),
    };
    await this.first.leaving(work, from.channelId, going);
    const [oldest] = found.flatMap(({ oldestGoing }) => oldestGoing ?? []).sort((a, b) => a - b);
    if (oldest !== undefined) await this.first.arriving(work, to.channelId, oldest);
  }

  /**
   * Messages are added to the oldest topic of exactly the new name, unless it came from elsewhere as a whole: what is in such a
   * topic counts as having come with it.
   */
  private async receiving(
    work: Work,
    move: Move,
    shares: readonly Share[],
    { targets }: MoveGround,
  ): Promise<Receiving> {
    const open = targets.filter(({ topic }) => topic.since === 0).reverse();
    const byName = new Map(open.map(({ name, topic }) => [name, topic.id]));
    const fresh: TopicId[] = [];
    for (let n = topicsToBegin(move, shares, byName); n > 0; n--) {
      fresh.push(await this.kernel.ids.next(work.realmId, 'topic'));
    }
    return { targets: byName, fresh };
  }

  /**
   * What is named is still there, and something is left where only a part goes. A topic that goes as a whole takes along
   * what comes meanwhile, unless one message was meant or there is some that the actor cannot see.
   */
  private restOn(work: Work, move: Move, shares: readonly Share[], { found, reach }: MoveGround): void {
    const named = shares.flatMap(({ listed }) => listed);
    const ends = found.flatMap(({ oldestGoing, oldestStaying }) => [oldestGoing ?? [], oldestStaying ?? []].flat());
    for (const id of new Set([...named, ...ends])) work.guard(messageThere, messageKey(id));
    work.touchesRows(2 * named.length);
    if (move.mode !== 'change_one' && reach.allVisible) return;
    for (const share of shares) {
      const { topic, total, going } = share;
      if (going > 0 && isListed(share) !== 'going') work.guard(topicEmptied, emptiedKey(topic.id, total));
    }
  }
}

/** The topic that bears the new name by this fact. */
function topicThere(event: TopicEvent, to: NamedPlace): TopicId | null {
  if (event.type !== 'messages.TopicStarted' && event.type !== 'messages.TopicMoved') return null;
  const { topicId } = event.data;
  const channel = 'to' in event.data ? event.data.to : event.data.channelId;
  return channel === to.channelId && event.sealed.name === to.name ? topicId : null;
}

function stayedBehind({ found, reach }: MoveGround): MessageId | null {
  return reach.allVisible ? (found.find(({ oldestStaying }) => oldestStaying !== null)?.oldestStaying ?? null) : null;
}
