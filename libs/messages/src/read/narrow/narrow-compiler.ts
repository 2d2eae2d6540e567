import type { ChannelRow } from '@annals/channels';
import { ChannelFacts, historyScope, seesMetadata } from '@annals/channels';
import type { Actor, ChannelId, ConversationId, UserId } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { UserAccess, EmailDirectory, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { participants } from '../../domain/conversation';
import { storedTopic, topicKey } from '../../domain/topic';
import { ConversationFacts } from '../placement/conversation-facts';
import { FOLLOWED_SQL, MUTED_SQL, TOPIC_MUTED_SQL } from './muted-topics';
import type { NamedPeople } from '../../domain/recipients';
import type { Criterion, Term } from './narrow-terms';
import { badNarrow } from './narrow-terms';
import { HAS_REACTION_SQL } from '../reactions/reactions';
import { TopicFacts } from '../placement/topic-facts';

/**
 * The messages that are searched: those that the user received, or all that they may see of a channel, of a conversation, or of
 * the channels that are open to them.
 */
export type Source = 'received' | 'seen';

/** A narrow as SQL conditions on row `m` of `view.messages` and the rows of PLACE_JOIN. */
export interface CompiledNarrow {
  readonly source: Source;
  /** The channel to search, unless a topic leads to the messages faster; null for all channels. */
  readonly within: ChannelId | null;
  readonly conditions: readonly string[];
  /** Values of the placeholders in the conditions, from `$6` on. */
  readonly values: readonly unknown[];
}

/** The empty narrow. */
export const EVERYTHING: CompiledNarrow = { source: 'received', within: null, conditions: [], values: [] };

/** The first placeholder after those of channels' READER. */
const FIRST = 6;

/** Compiles narrows to conditions (contract/boot.md section 10). */
@Injectable()
export class NarrowCompiler {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly topics: TopicFacts,
    private readonly users: UserFacts,
    private readonly book: EmailDirectory,
    private readonly acquaintances: UserAccess,
    private readonly conversations: ConversationFacts,
  ) {}

  /** @throws Rejected BAD_NARROW when a term names something that the actor cannot access, or terms contradict each other */
  async compile(by: Actor, terms: readonly Term<Criterion>[]): Promise<CompiledNarrow> {
    refuseContradictions(terms);
    const conditions: string[] = [];
    const values: unknown[] = [];
    const place = (value: unknown): string => `$${values.push(value) + FIRST - 1}`;
    let source: Source = 'received';
    let within: ChannelRow | null = null;
    for (const { condition, negated } of terms) {
      if (condition.kind !== 'channel') continue;
      const channel = await this.channel(by, condition.channel);
      conditions.push(negates(`p.channel_id = ${place(channel.id)}::int8`, negated));
      if (!negated) within = channel;
    }
    if (within) source = await this.sourceOf(by, within);
    for (const { condition, negated } of terms) {
      if (condition.kind === 'channel' || condition.kind === 'near') continue;
      conditions.push(negates(await this.condition(by, condition, within, place), negated));
      if (!negated && opensHistory(condition)) source = 'seen';
    }
    const hasTopic = terms.some(({ condition, negated }) => condition.kind === 'topic' && !negated);
    return { source, within: hasTopic ? null : (within?.id ?? null), conditions, values };
  }

  /** Messages from before the subscription are included where the user may read the channel's history. */
  private async sourceOf(by: Actor, channel: ChannelRow): Promise<Source> {
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    return historyScope(channel, by, own.has(channel.id)) === 'all' ? 'seen' : 'received';
  }

  private async condition(
    by: Actor,
    condition: Exclude<Criterion, { kind: 'channel' | 'near' }>,
    within: ChannelRow | null,
    place: (value: unknown) => string,
  ): Promise<string> {
    switch (condition.kind) {
      case 'channels':
        return CHANNELS[condition.which];
      case 'topic':
        return this.topic(by, condition.topic, within, place);
      case 'conversation':
        return `m.conversation_id = ${place(await this.conversation(by, condition.people))}::int8`;
      case 'conversation including': {
        const others = (await this.people(by, condition.people)).filter((id) => id !== by.userId);
        const shared = others.map(
          (id) => `EXISTS (SELECT FROM view.conversation_members AS w WHERE w.realm_id = m.realm_id
          AND w.user_id = ${place(id)}::int8 AND w.conversation_id = m.conversation_id)`,
        );
        return ['m.conversation_id IS NOT NULL', ...shared].join(' AND ');
      }
      case 'direct':
        return 'm.conversation_id IS NOT NULL';
      case 'followed':
        return FOLLOWED_SQL;
      case 'muted':
        return MUTED_SQL;
      case 'in':
        if (condition.view === 'all') return 'true';
        return `(${within ? TOPIC_MUTED_SQL : MUTED_SQL}) IS NOT TRUE`;
      case 'sender':
        return `m.sender_id = ${place((await this.people(by, asPeople(condition.sender)))[0])}::int8`;
      case 'message':
        return `m.message_id = ${place(condition.id)}::int8`;
      case 'has':
        return HAS[condition.what];
    }
  }

  private async topic(
    by: Actor,
    written: string,
    within: ChannelRow | null,
    place: (value: unknown) => string,
  ): Promise<string> {
    const name = storedTopic(written, EMPTY_TOPIC_DISPLAY_NAME);
    if (within) {
      const ids = (await this.topics.named(by.realmId, within.id, name)).map(({ id }) => id);
      return ids.length === 1 ? `m.topic_id = ${place(ids[0])}::int8` : `m.topic_id = ANY(${place(ids)}::int8[])`;
    }
    return `m.topic_id IN (SELECT w.topic_id FROM view.topics AS w WHERE w.realm_id = m.realm_id
      AND w.name_key = ${place(topicKey(name))}::text)`;
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
    const people = participants(by.userId, await this.people(by, named));
    return (await this.conversations.between(by.realmId, people)) ?? null;
  }

  /** Users with restricted access get the same answer for an inaccessible user and for an unknown id. */
  private async people(by: Actor, named: NamedPeople): Promise<UserId[]> {
    const ids = [...new Set(named.filter((one) => typeof one === 'number'))];
    const emails = named.filter((one) => typeof one === 'string');
    const known = await this.users.accounts(by.realmId, ids);
    const byEmail = await this.book.find(by, emails);
    const isUnknown = known.size < ids.length && (await this.acquaintances.canAccessAll(by));
    if (isUnknown || !emails.every((email) => byEmail.has(email))) throw badNarrow({ desc: 'unknown user' });
    return [...(ids as UserId[]), ...byEmail.values()];
  }
}

const CHANNELS = { public: 'NOT c.invite_only', 'web-public': 'c.is_web_public', archived: 'c.is_archived' } as const;

const HAS = {
  link: 'm.has_link',
  image: 'm.has_image',
  attachment: 'm.has_attachment',
  reaction: HAS_REACTION_SQL,
} as const;

/** NULL counts as false: a direct message has no channel, so it matches no channel condition. */
const negates = (condition: string, negated: boolean): string =>
  negated ? `(${condition}) IS NOT TRUE` : `(${condition})`;

const asPeople = (one: number | string): NamedPeople => (typeof one === 'number' ? [one] : [one]);

const opensHistory = (condition: Criterion): boolean =>
  condition.kind === 'conversation' || (condition.kind === 'channels' && condition.which !== 'archived');

function refuseContradictions(terms: readonly Term<Criterion>[]): void {
  const wanted = new Set(terms.filter(({ negated }) => !negated).map(({ condition }) => condition.kind));
  const direct = wanted.has('conversation') || wanted.has('conversation including') || wanted.has('direct');
  if (direct && (wanted.has('channel') || wanted.has('channels') || wanted.has('topic'))) {
    throw badNarrow({ desc: 'a channel or topic cannot be combined with direct messages' });
  }
}
