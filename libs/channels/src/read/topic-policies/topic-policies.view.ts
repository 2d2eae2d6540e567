import type { Row, RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { Recorded, UserId } from '@annals/kernel/domain';
import { POLICIES, topicKey } from '../../domain/topic-policies/topic-policies';
import type { NamedTopicPlace } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy, TopicPolicyEvent } from '../../domain/topic-policies/topic-policy-events';
import { TopicPoliciesMoved, TopicPolicySet } from '../../domain/topic-policies/topic-policy-events';

/** Visibility policies of topics for users, as spans of positions. A topic without a row follows its channel. */
export const topicPoliciesView = defineProjection({
  name: 'user_topics',
  version: 1,
  lifecycle: 'inline',
  tables: {
    user_topics: {
      columns: {
        user_id: 'int4',
        channel_id: 'int4',
        /** The name in lower case, for lookups. */
        name_key: 'text',
        from_position: 'int8',
        /** Null while the policy holds. */
        to_position: 'int8',
        name: 'text',
        policy: 'int2',
        updated_at: 'int8',
      },
      key: ['user_id', 'channel_id', 'name_key', 'from_position'],
      indexes: [{ on: ['channel_id', 'name_key', 'last_position'] }],
      sealed: ['name', 'name_key'],
      changesOften: true,
    },
  },
  handlers: [
    // A topic whose name was erased cannot have policies any more.
    on(TopicPolicySet, (event, rows) => {
      const { data, sealed } = event;
      if (sealed === 'erased') return;
      const topic = { channelId: data.channelId, name: sealed.topic };
      for (const user of data.userIds) choose(rows, event, topic, user, data.policy);
    }),
    on(TopicPoliciesMoved, (event, rows) => {
      const { data, sealed } = event;
      if (sealed === 'erased') return;
      end(rows, event, { channel_id: data.channelId, name_key: topicKey(sealed.from) });
      const topic = { channelId: data.toChannelId, name: sealed.to };
      for (const [n, user] of data.users.entries()) {
        choose(rows, event, topic, user, data.policies[n] ?? POLICIES.inherit);
      }
    }),
  ],
});

type Event = Recorded<TopicPolicyEvent>;

function choose(rows: RowChanges, event: Event, topic: NamedTopicPlace, user: UserId, policy: TopicPolicy): void {
  const own = { user_id: user, channel_id: topic.channelId, name_key: topicKey(topic.name) };
  end(rows, event, own);
  if (policy === POLICIES.inherit) return;
  const span = { from_position: event.position, to_position: null };
  rows.insert('user_topics', { ...own, ...span, name: topic.name, policy, updated_at: event.at });
}

const end = (rows: RowChanges, { position }: Event, which: Row): void =>
  rows.update('user_topics', { ...which, to_position: null }, { to_position: position });
