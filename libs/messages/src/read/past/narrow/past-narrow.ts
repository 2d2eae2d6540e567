import { seesMetadata } from '@annals/channels';
import type { Actor, ChannelId, ConversationId, MessageId, UserId } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { participants } from '../../../domain/conversation';
import { storedTopic, topicKey } from '../../../domain/topic';
import { isCriterion, linkOf, linked } from '../../narrow/links';
import { NarrowPeople } from '../../narrow/narrow-people';
import type { Condition, Criterion, NarrowTerm } from '../../narrow/narrow-terms';
import { badNarrow, refuseContradictions } from '../../narrow/narrow-terms';
import { ConversationFacts } from '../../placement/conversation-facts';
import { readPastMessages } from '../past-messages';
import type { PastReading } from '../past-reading';
import type { PastNarrow } from './narrow-parts';
import { NarrowParts } from './narrow-parts';
import { channelNamed, topicsNamed } from './past-names';
import type { NamedTerms } from './past-terms';
import { peopleNamedIn, ofChannels, personOf, termOf } from './past-terms';
import { testOf, topicNamed } from './past-tests';

/** Terms without the operator `with`, and the moment. */
interface Asked extends NamedTerms {
  readonly terms: readonly NarrowTerm<Criterion>[];
  readonly reading: PastReading;
}

/**
 * Narrows as they were at a moment: channels and topics under the names that they had, messages where they were. Emails are those
 * of today, as the account that asks sees them.
 */
@Injectable()
export class PastNarrows {
  constructor(
    private readonly people: NarrowPeople,
    private readonly conversations: ConversationFacts,
  ) {}

  /**
   * Looks up the users whom terms name, before the snapshot is opened.
   *
   * @throws Rejected BAD_NARROW for unknown users
   */
  async name(by: Actor, userId: UserId, terms: readonly NarrowTerm[]): Promise<NamedTerms> {
    const people = new Map<Condition, readonly UserId[]>();
    const conversations = new Map<Condition, ConversationId | null>();
    for (const { condition } of terms) {
      const named = peopleNamedIn(condition);
      if (named.length === 0) continue;
      const found = await this.people.people(by, named);
      people.set(condition, found);
      if (condition.kind !== 'conversation') continue;
      const all = participants(userId, found);
      conversations.set(condition, (await this.conversations.between(by.realmId, all)) ?? null);
    }
    return { terms, people, conversations };
  }

  /** @throws Rejected BAD_NARROW for terms that cannot be answered about the past, and where `NarrowCompiler` refuses */
  async resolve(reading: PastReading, named: NamedTerms): Promise<PastNarrow> {
    const others = named.terms.filter(isCriterion);
    const link = linkOf(named.terms);
    if (link === null) return this.compile({ ...named, reading, terms: others });
    const conversations = new Map(named.conversations);
    const place = await this.placeOf(reading, link, conversations);
    return this.compile({ ...named, reading, conversations, terms: linked(place, others) });
  }

  /** @returns null for a message that the account could not read */
  private async placeOf(
    reading: PastReading,
    id: number,
    conversations: Map<Condition, ConversationId | null>,
  ): Promise<readonly Criterion[] | null> {
    const [found] = await readPastMessages(reading, [id as MessageId]);
    if (!found?.isReadable) return null;
    const { channelId, topicId, conversationId } = found;
    if (channelId === null || topicId === null) {
      const place: Criterion = { kind: 'conversation', people: [...found.userIds] };
      conversations.set(place, conversationId);
      return [place];
    }
    await reading.knowTopics([topicId]);
    const topic = reading.topic(topicId)?.topic ?? '';
    return [
      { kind: 'channel', channel: channelId },
      { kind: 'topic', topic },
    ];
  }

  private async compile(asked: Asked): Promise<PastNarrow> {
    const { reading, terms } = asked;
    refuseContradictions(terms);
    const built = new NarrowParts();
    for (const { condition, negated: isNegated } of terms) {
      if (condition.kind !== 'channel') continue;
      const id = await this.channel(reading, condition.channel);
      built.add({ test: testOf((message) => message.channelId === id), maybe: null }, isNegated);
      if (!isNegated) built.channel = id;
    }
    for (const { condition, negated: isNegated } of terms) {
      if (condition.kind === 'channel' || condition.kind === 'near') continue;
      await this.add(asked, built, condition, isNegated);
    }
    return built.narrow(reading);
  }

  private async add(
    asked: Asked,
    built: NarrowParts,
    condition: Exclude<Criterion, { kind: 'channel' | 'near' }>,
    isNegated: boolean,
  ) {
    const isRequired = !isNegated;
    switch (condition.kind) {
      case 'topic': {
        const name = storedTopic(condition.topic, EMPTY_TOPIC_DISPLAY_NAME);
        if (built.channel === null) return built.add({ test: topicNamed(name), maybe: null }, isNegated);
        const ids = new Set(await topicsNamed(asked.reading, built.channel, topicKey(name)));
        const inTopic = testOf(({ topicId }) => topicId !== null && ids.has(topicId));
        if (isRequired) built.topics = [...ids];
        return built.add({ test: inTopic, maybe: null }, isNegated);
      }
      case 'conversation': {
        const id = asked.conversations.get(condition) ?? null;
        if (isRequired) built.conversation = { id };
        return built.add({ test: testOf((one) => id !== null && one.conversationId === id), maybe: null }, isNegated);
      }
      case 'sender': {
        const id = personOf(asked, condition);
        if (isRequired) built.sender = id;
        return built.add({ test: testOf(({ senderId }) => senderId === id), maybe: null }, isNegated);
      }
      case 'message':
        if (isRequired) built.only = condition.id;
        return built.add({ test: testOf(({ id }) => (id as number) === condition.id), maybe: null }, isNegated);
      case 'channels':
        if (isRequired && condition.which !== 'archived') built.seesAll = true;
        return built.add(ofChannels(asked.reading, condition.which), isNegated);
      default:
        return built.add(termOf(asked.reading, asked, condition), isNegated);
    }
  }

  /** @throws Rejected BAD_NARROW for a channel that the account could not see then or cannot see today */
  private async channel(reading: PastReading, named: number | string): Promise<ChannelId> {
    const id = typeof named === 'number' ? (named as ChannelId) : await channelNamed(reading, named);
    if (id === undefined) throw badNarrow({ desc: 'unknown channel' });
    await reading.know([id]);
    const { then, now } = reading.channel(id);
    const { today } = reading;
    const wasSeen = then !== undefined && seesMetadata(then, reading.then, reading.isSubscribedThen(id));
    const isSeen = today === null || (now !== undefined && seesMetadata(now, today, reading.isSubscribedToday(id)));
    if (!wasSeen || !isSeen) throw badNarrow({ desc: 'unknown channel' });
    return id;
  }
}
