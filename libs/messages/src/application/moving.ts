import { DormantChannels, noNamedTopics } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { TopicId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Move, NamedPlace, Receiving, Share } from '../domain/move';
import { changesChannel, move as moved, topicsToBegin } from '../domain/move';
import { topicAggregate } from '../domain/topic';
import { messageKey, messageThere } from './guards';
import type { MoveGround } from './move-ground';
import { MoveGrounds } from './move-ground';

/** What a move did. */
export interface Moved {
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  /** How many messages went. */
  readonly messages: number;
  /** Whether all of the topic went that the actor could see. */
  readonly isWhole: boolean;
  /** Whether there were messages in the new topic before. */
  readonly targetExisted: boolean;
}

/** Carries moves out once they are allowed. */
@Injectable()
export class Moving {
  constructor(
    private readonly kernel: Kernel,
    private readonly grounds: MoveGrounds,
    private readonly dormant: DormantChannels,
  ) {}

  async carryOut(work: Work, move: Move, ground: MoveGround): Promise<Moved> {
    const shares = await this.grounds.shares(work, ground);
    if (changesChannel(move)) await this.dormant.wake(work, move.to.channelId);
    if (move.to.name !== '') work.changesGuard(noNamedTopics, move.to.channelId);
    const receiving = await this.receiving(work, move, shares, ground);
    for (const { topicId, event } of moved(move, shares, receiving)) {
      if (receiving.fresh.includes(topicId)) work.append(topicAggregate.stream(topicId), [event]);
      else await work.decide(topicAggregate, topicId, () => [event]);
    }
    this.restOn(work, move, shares, ground);
    return {
      from: move.from,
      to: move.to,
      messages: sum(ground.found.map(({ going }) => going)),
      isWhole: ground.found.every(({ going, visible }) => going === visible),
      targetExisted: ground.facts.targetExists,
    };
  }

  /**
   * Messages are added to a topic of exactly the new name, unless it came from elsewhere as a whole: what is in such a
   * topic counts as having come with it.
   */
  private async receiving(
    work: Work,
    move: Move,
    shares: readonly Share[],
    { targets }: MoveGround,
  ): Promise<Receiving> {
    const known = targets.find(({ name, topic }) => name === move.to.name && topic.since === 0);
    const target = known?.topic.id ?? null;
    const fresh: TopicId[] = [];
    for (let n = topicsToBegin(move, shares, target); n > 0; n--) {
      fresh.push(await this.kernel.ids.next(work.realmId, 'topic'));
    }
    return { target, fresh };
  }

  private restOn(work: Work, { messageId }: Move, shares: readonly Share[], { found }: MoveGround): void {
    const named = shares.flatMap(({ listed }) => listed);
    const ends = found.flatMap(({ oldestGoing, oldestStaying }) => [oldestGoing ?? [], oldestStaying ?? []].flat());
    for (const id of new Set([messageId, ...named, ...ends])) work.guard(messageThere, messageKey(id));
    work.touchesRows(sum(shares.map(({ listed }) => 2 * listed.length)));
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
