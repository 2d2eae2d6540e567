import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { NamedTopicPlace, PoliciesByPerson } from '../../domain/topic-policies/topic-policies';
import {
  POLICIES,
  isSameTopic,
  movePolicies,
  policyIn,
  setPolicy,
  topicPoliciesStream,
} from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import { readPoliciesAt } from '../../read/topic-policies/topic-policies';
import { policiesKey, policiesUnchanged, topicChangeKey } from '../guards';
import { TopicReaders } from './topic-readers';

/** A whole topic that moves. */
export interface TopicMove {
  readonly from: NamedTopicPlace;
  readonly to: NamedTopicPlace;
  /** Whether the new topic had messages before this move, under a name in any letter case. */
  readonly targetHadMessages: boolean;
}

/** Policies of topics, as part of the append of the command that changes the topic. */
@Injectable()
export class TopicPolicies {
  constructor(
    private readonly kernel: Kernel,
    private readonly readers: TopicReaders,
  ) {}

  /**
   * Moves the policies of a topic that moves as a whole, for users who may read the new channel (contract/messages.md
   * section 5.3). Nothing happens if only the letter case of the name changes.
   */
  async moved(work: Work, { from, to, targetHadMessages }: TopicMove): Promise<void> {
    if (isSameTopic(from, to)) return;
    const { position, policies } = await this.read(work, [from, to], null);
    const [chosenFrom = NOTHING, chosenTo = NOTHING] = policies;
    const people = [...new Set([...chosenFrom.keys(), ...chosenTo.keys()])];
    // Users who were removed from a private channel keep their policies there, and may not receive a new name.
    const readers = await this.readers.among(work, to.channelId, people);
    const mayRead = (user: UserId) => readers.has(user);
    const facts = movePolicies({ from, to, chosenFrom, chosenTo, targetHadMessages, mayRead });
    for (const topic of [from, to]) this.dependOn(work, topic, position, null);
    for (const { data } of facts) work.touchesRows(2 * (data.formerly.length + data.users.length));
    work.append(topicPoliciesStream(from.channelId), facts);
  }

  /** Removes the policies of a topic that was deleted as a whole (contract/messages.md section 6.2). */
  async dropped(work: Work, topic: NamedTopicPlace): Promise<void> {
    const { position, policies } = await this.read(work, [topic], null);
    const [chosen = NOTHING] = policies;
    this.dependOn(work, topic, position, null);
    this.append(work, topic, [...chosen.keys()], POLICIES.inherit, chosen);
  }

  /**
   * Decides the policies of some users for a topic, each from the present one.
   *
   * @param decide returns the new policy, or null for no change
   * @returns what has changed
   */
  async change(
    work: Work,
    topic: NamedTopicPlace,
    people: readonly UserId[],
    decide: (user: UserId, current: TopicPolicy) => TopicPolicy | null,
  ): Promise<PoliciesByPerson> {
    const { position, policies } = await this.read(work, [topic], people);
    const [current = NOTHING] = policies;
    const wanted = grouped(people, (user) => decide(user, policyIn(current, user)));
    const changed = [...wanted].flatMap(([policy, users]) =>
      policy === null ? [] : this.append(work, topic, users, policy, current),
    );
    for (const [user] of changed) this.dependOn(work, topic, position, user);
    return new Map(changed);
  }

  private append(
    work: Work,
    topic: NamedTopicPlace,
    people: readonly UserId[],
    policy: TopicPolicy,
    current: PoliciesByPerson,
  ): [UserId, TopicPolicy][] {
    const facts = setPolicy(topic, people, policy, current);
    work.append(topicPoliciesStream(topic.channelId), facts);
    const users = facts.flatMap(({ data }) => data.userIds);
    work.touchesRows(2 * users.length);
    return users.map((user) => [user, policy]);
  }

  private read({ realmId }: Work, topics: readonly NamedTopicPlace[], users: readonly UserId[] | null) {
    return readPoliciesAt(this.kernel.database.pool, realmId, topics, users);
  }

  private dependOn(work: Work, topic: NamedTopicPlace, since: Position, user: UserId | null): void {
    work.guard(policiesUnchanged, policiesKey(topic, since, user));
    work.changesGuard(policiesUnchanged, topicChangeKey(topic));
  }
}

const NOTHING: PoliciesByPerson = new Map();
