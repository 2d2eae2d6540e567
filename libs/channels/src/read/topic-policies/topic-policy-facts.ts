import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, FactOf, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { OwnSettingsChanged, OwnSettingsFacts } from '@annals/users';
import type { OwnSettings } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { SubscriptionPropertyChanged } from '../../domain/events';
import type { NamedTopicPlace, PoliciesByPerson } from '../../domain/topic-policies/topic-policies';
import { POLICIES, topicKey } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy, TopicPolicyEvent } from '../../domain/topic-policies/topic-policy-events';
import { TopicPoliciesMoved, TopicPolicySet } from '../../domain/topic-policies/topic-policy-events';

/** Cached facts for automatic policies of topics. */
export interface TakingPart {
  readonly settings: OwnSettings;
  /** Channels that they muted, also former ones. */
  readonly mutedChannels: ReadonlySet<ChannelId>;
}

/**
 * Users' settings for topics and their policies for single topics, cached in the process: a message that changes none
 * of them needs no query.
 */
@Injectable()
export class TopicPolicyFacts {
  private readonly takingPart: FactCache<TakingPart>;
  private readonly policies: FactCache<TopicPolicy>;

  constructor(
    private readonly kernel: Kernel,
    private readonly settings: OwnSettingsFacts,
  ) {
    this.takingPart = kernel.facts<TakingPart>({
      touched: touchedPeople,
      load: (realmId, keys) => this.loadTakingPart(realmId, keys.map(Number) as UserId[]),
    });
    this.policies = kernel.facts<TopicPolicy>({
      touched: touchedPolicies,
      load: (realmId, keys) => this.loadPolicies(realmId, keys),
    });
  }

  async takingPartOf(realmId: RealmId, user: UserId): Promise<TakingPart> {
    const known = await this.takingPart.get(realmId, user);
    if (!known) throw new Error(`nothing is known of account ${user}`);
    return known;
  }

  /** The policies of these users for a topic. Users without one are left out. */
  async policiesOf(realmId: RealmId, topic: NamedTopicPlace, users: readonly UserId[]): Promise<PoliciesByPerson> {
    const found = await this.policies.getMany(
      realmId,
      users.map((user) => keyOf(user, topic)),
    );
    return new Map(users.map((user) => [user, found.get(keyOf(user, topic)) ?? POLICIES.inherit]));
  }

  private async loadTakingPart(realmId: RealmId, users: readonly UserId[]): Promise<Map<string, TakingPart>> {
    const { rows } = await this.kernel.database.pool.query<{ user_id: UserId; channels: ChannelId[] }>({
      name: 'channels-muted-by',
      text: `SELECT user_id, array_agg(channel_id) AS channels FROM view.subscriptions
        WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND is_muted GROUP BY user_id`,
      values: [realmId, users],
    });
    const muted = new Map(rows.map((row) => [row.user_id, new Set(row.channels)]));
    const loaded = new Map<string, TakingPart>();
    for (const user of users) {
      const settings = await this.settings.of(realmId, user);
      loaded.set(String(user), { settings, mutedChannels: muted.get(user) ?? NONE });
    }
    return loaded;
  }

  private async loadPolicies(realmId: RealmId, keys: readonly string[]): Promise<Map<string, TopicPolicy>> {
    const { rows } = await this.kernel.database.pool.query<{ key: string; policy: TopicPolicy }>({
      name: 'channels-policies-by-key',
      text: `SELECT k.key::text AS key, w.policy FROM unnest($2::text[]) AS u(key)
        CROSS JOIN LATERAL (SELECT u.key, u.key::jsonb AS parts) AS k
        JOIN view.user_topics AS w ON w.realm_id = $1 AND w.user_id = (k.parts->>0)::int4
          AND w.channel_id = (k.parts->>1)::int4 AND w.name_key = k.parts->>2
        WHERE w.to_position IS NULL`,
      values: [realmId, keys],
    });
    return new Map(rows.map((row) => [row.key, row.policy]));
  }
}

const NONE: ReadonlySet<ChannelId> = new Set();

const keyOf = (user: UserId, { channelId, name }: NamedTopicPlace): string =>
  JSON.stringify([user, channelId, topicKey(name)]);

type Event = Recorded<TopicPolicyEvent>;

function touchedPolicies(happened: Recorded): readonly string[] | 'all' {
  if (happened.type !== TopicPolicySet.type && happened.type !== TopicPoliciesMoved.type) return [];
  const event = happened as Event;
  if (event.sealed === 'erased') return 'all';
  if (event.type === TopicPolicySet.type) {
    const topic = { channelId: event.data.channelId, name: event.sealed.topic };
    return event.data.userIds.map((user) => keyOf(user, topic));
  }
  const { data, sealed } = event;
  const [from, to] = [
    { channelId: data.channelId, name: sealed.from },
    { channelId: data.toChannelId, name: sealed.to },
  ];
  return [...data.formerly.map((user) => keyOf(user, from)), ...data.users.map((user) => keyOf(user, to))];
}

function touchedPeople(event: Recorded): readonly UserId[] {
  if (event.type === OwnSettingsChanged.type)
    return [(event as Recorded<FactOf<typeof OwnSettingsChanged>>).data.userId];
  if (event.type !== SubscriptionPropertyChanged.type) return [];
  const { userId, property } = (event as Recorded<SubscriptionPropertyChanged>).data;
  return property === 'is_muted' ? [userId] : [];
}
