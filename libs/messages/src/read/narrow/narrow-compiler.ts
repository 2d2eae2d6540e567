import type { ChannelRow } from '@annals/channels';
import { ChannelFacts, historyScope, seesMetadata } from '@annals/channels';
import type { Actor, ConversationId } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { participants } from '../../domain/conversation';
import { RESOLVED_PREFIX } from '../../domain/move/resolving';
import { storedTopic, topicKey } from '../../domain/topic';
import { ConversationFacts } from '../placement/conversation-facts';
import type { CompiledNarrow, Source } from './compiled-narrow';
import { NarrowBuilder } from './compiled-narrow';
import { MENTIONED, mentioning, mentionsSql } from './mentioned';
import { ALERTED_SQL, STARRED_SQL, UNREAD, alertedMessages, starredMessages } from './personal-conditions';
import { FOLLOWED_SQL, MUTED_SQL, TOPIC_MUTED_SQL } from './muted-topics';
import type { NamedPeople } from '../../domain/recipients';
import { NarrowPeople } from './narrow-people';
import type { Criterion, NarrowTerm } from './narrow-terms';
import { badNarrow, refuseContradictions } from './narrow-terms';
import { HAS_REACTION_SQL } from '../reactions/reactions';
import { matchesSql } from '../search/matches-sql';
import type { TextQuery } from '../search/text-queries';
import { NO_WORDS, TextQueries } from '../search/text-queries';
import { TopicFacts } from '../placement/topic-facts';

/** Compiles narrows to conditions (contract/boot.md section 10). */
@Injectable()
export class NarrowCompiler {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly topics: TopicFacts,
    private readonly people: NarrowPeople,
    private readonly conversations: ConversationFacts,
    private readonly texts: TextQueries,
  ) {}

  /** @throws Rejected BAD_NARROW when a term names something that the actor cannot access, or terms contradict each other */
  async compile(by: Actor, terms: readonly NarrowTerm<Criterion>[]): Promise<CompiledNarrow> {
    refuseContradictions(terms);
    const narrow = new NarrowBuilder();
    let within: ChannelRow | null = null;
    for (const { condition, negated } of terms) {
      if (condition.kind !== 'channel') continue;
      const channel = await this.channel(by, condition.channel);
      narrow.add(`p.channel_id = ${narrow.parameter(channel.id)}::int8`, negated);
      if (!negated) within = channel;
    }
    let source: Source = within ? await this.sourceOf(by, within) : 'received';
    let isVisible = source === 'seen';
    for (const { condition, negated } of terms) {
      if (condition.kind === 'channel' || condition.kind === 'near') continue;
      if (condition.kind === 'search' && !negated) continue;
      if (condition.kind === 'mentioned') narrow.addPartial(MENTIONED, negated);
      else if (condition.kind === 'unread') narrow.addPartial(UNREAD, negated);
      else if (condition.kind === 'starred') narrow.add(STARRED_SQL, negated, [starredMessages]);
      else if (condition.kind === 'alerted') narrow.add(ALERTED_SQL, negated, [alertedMessages]);
      else if (condition.kind === 'mentions') await this.addMentions(by, condition.user, { narrow, negated });
      else narrow.add(await this.condition(by, condition, within, narrow), negated);
      if (!negated && opensHistory(condition)) source = 'seen';
      if (!negated && condition.kind === 'conversation') isVisible = true;
    }
    const hasTopic = terms.some(({ condition, negated }) => condition.kind === 'topic' && !negated);
    const others = narrow.build({ source, within: hasTopic ? null : (within?.id ?? null), isVisible });
    return this.withText(by, others, narrow, terms);
  }

  /** Adds the words that all messages have to have. */
  private async withText(
    { realmId }: Actor,
    others: CompiledNarrow,
    narrow: NarrowBuilder,
    terms: readonly NarrowTerm<Criterion>[],
  ): Promise<CompiledNarrow> {
    const searches = terms.flatMap(({ condition, negated }) =>
      condition.kind === 'search' && !negated ? [condition.phrases] : [],
    );
    if (searches.length === 0) {
      const excludesWords = terms.some(({ condition }) => condition.kind === 'search');
      return { ...others, highlighted: excludesWords ? NO_WORDS : null };
    }
    const query = await this.texts.of(realmId, searches.flat());
    narrow.add(textSql(query, narrow), false);
    return { ...narrow.build(others), text: { query, others }, highlighted: query };
  }

  /** Messages from before the subscription are included where the user may read the channel's history. */
  private async sourceOf(by: Actor, channel: ChannelRow): Promise<Source> {
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    return historyScope(channel, by, own.has(channel.id)) === 'all' ? 'seen' : 'received';
  }

  private async condition(
    by: Actor,
    condition: Exclude<
      Criterion,
      { kind: 'channel' | 'near' | 'mentioned' | 'unread' | 'starred' | 'alerted' | 'mentions' }
    >,
    within: ChannelRow | null,
    narrow: NarrowBuilder,
  ): Promise<string> {
    const parameter = (value: unknown) => narrow.parameter(value);
    switch (condition.kind) {
      case 'channels':
        return CHANNELS[condition.which];
      case 'topic':
        return this.topic(by, condition.topic, within, parameter);
      case 'conversation':
        return `m.conversation_id = ${parameter(await this.conversation(by, condition.people))}::int8`;
      case 'conversation including':
        return this.conversationsWith(by, condition.people, parameter);
      case 'group conversation including': {
        const shared = await this.conversationsWith(by, condition.people, parameter);
        return `${shared} AND EXISTS (SELECT FROM view.conversations AS w WHERE w.realm_id = m.realm_id
          AND w.conversation_id = m.conversation_id AND cardinality(w.user_ids) > 2)`;
      }
      case 'direct':
        return 'm.conversation_id IS NOT NULL';
      case 'followed':
        return FOLLOWED_SQL;
      case 'muted':
        return MUTED_SQL;
      case 'resolved':
        return `starts_with(p.name, ${parameter(RESOLVED_PREFIX)}::text)`;
      case 'in':
        if (condition.view === 'all') return 'true';
        return `(${within ? TOPIC_MUTED_SQL : MUTED_SQL}) IS NOT TRUE`;
      case 'sender':
        return `m.sender_id = ${parameter(await this.people.person(by, condition.sender))}::int8`;
      case 'message':
        return `m.message_id = ${parameter(condition.id)}::int8`;
      case 'search':
        return textSql(await this.texts.of(by.realmId, condition.phrases), narrow);
      case 'has':
        return HAS[condition.what];
    }
  }

  private async topic(
    by: Actor,
    written: string,
    within: ChannelRow | null,
    parameter: (value: unknown) => string,
  ): Promise<string> {
    const name = storedTopic(written, EMPTY_TOPIC_DISPLAY_NAME);
    if (within) {
      const ids = (await this.topics.named(by.realmId, within.id, name)).map(({ id }) => id);
      return ids.length === 1
        ? `m.topic_id = ${parameter(ids[0])}::int8`
        : `m.topic_id = ANY(${parameter(ids)}::int8[])`;
    }
    return `m.topic_id IN (SELECT w.topic_id FROM view.topics AS w WHERE w.realm_id = m.realm_id
      AND w.name_key = ${parameter(topicKey(name))}::text)`;
  }

  /** @throws Rejected BAD_NARROW for a channel that the actor cannot access, as for one that does not exist */
  private async channel(by: Actor, named: number | string): Promise<ChannelRow> {
    const { realmId } = by;
    const found =
      typeof named === 'number'
        ? await this.channels.byId(realmId, named as ChannelRow['id'])
        : await this.channels.byName(realmId, named.trim());
    const own = await this.channels.subscribedBy(realmId, by.userId);
    if (!found || !seesMetadata(found, by, own.has(found.id))) throw badNarrow({ desc: 'unknown channel' });
    return found;
  }

  /** @returns null when these users have no conversation */
  private async conversation(by: Actor, named: NamedPeople): Promise<ConversationId | null> {
    const people = participants(by.userId, await this.people.people(by, named));
    return (await this.conversations.between(by.realmId, people)) ?? null;
  }

  private async conversationsWith(
    by: Actor,
    named: NamedPeople,
    parameter: (value: unknown) => string,
  ): Promise<string> {
    const others = (await this.people.people(by, named)).filter((id) => id !== by.userId);
    const shared = others.map(
      (id) => `EXISTS (SELECT FROM view.conversation_members AS w WHERE w.realm_id = m.realm_id
        AND w.user_id = ${parameter(id)}::int8 AND w.conversation_id = m.conversation_id)`,
    );
    return ['m.conversation_id IS NOT NULL', ...shared].join(' AND ');
  }

  private async addMentions(
    by: Actor,
    named: number | string,
    { narrow, negated }: { readonly narrow: NarrowBuilder; readonly negated: boolean },
  ): Promise<void> {
    const user = `${narrow.parameter(await this.people.person(by, named))}::int8`;
    narrow.add(mentionsSql(user), negated, [mentioning(user)]);
  }
}

/** A search for nothing but stop words finds nothing. */
const textSql = ({ phrases }: TextQuery, narrow: NarrowBuilder): string =>
  phrases.length === 0 ? 'false' : matchesSql(narrow.parameter(phrases));

const CHANNELS = { public: 'NOT c.invite_only', 'web-public': 'c.is_web_public', archived: 'c.is_archived' } as const;

const HAS = {
  link: 'm.has_link',
  image: 'm.has_image',
  attachment: 'm.has_attachment',
  reaction: HAS_REACTION_SQL,
} as const;

const opensHistory = (condition: Criterion): boolean =>
  condition.kind === 'conversation' || (condition.kind === 'channels' && condition.which !== 'archived');
