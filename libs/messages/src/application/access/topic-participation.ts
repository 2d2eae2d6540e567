import { AutomaticPolicies } from '@annals/channels';
import type { Work } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { Place } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';

/** Participation in topics without sending a message. */
@Injectable()
export class TopicParticipation {
  constructor(private readonly automatic: AutomaticPolicies) {}

  /**
   * The actor reacted to a message of the topic or changed its widget, which may change the visibility policy of the actor
   * for the topic (contract/messages.md section 7).
   */
  async reacted(work: Work, place: Place): Promise<void> {
    if (!('topicId' in place)) return;
    const topic = await work.read(topicAggregate, place.topicId);
    if (topic === null || topic.name === null) return;
    const { channelId, name } = topic;
    await this.automatic.tookPart(work, work.actor.userId, { channelId, name }, 'reacted');
  }
}
