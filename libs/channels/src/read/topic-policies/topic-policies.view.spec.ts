import { defineContext } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { recorded } from '../../../../../test/support/events/recorded-events';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import { POLICIES, topicPoliciesStream } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy, TopicPolicyEvent } from '../../domain/topic-policies/topic-policy-events';
import {
  TOPIC_POLICY_EVENTS,
  TopicPoliciesMoved,
  TopicPolicySet,
} from '../../domain/topic-policies/topic-policy-events';
import { readChosenPolicies, readPoliciesAt } from './topic-policies';
import { topicPoliciesView } from './topic-policies.view';

const { inherit, muted, followed } = POLICIES;
const [ann, bob] = [1, 2] as [UserId, UserId];
const [here, there] = [7, 8] as [ChannelId, ChannelId];
const set = (userIds: UserId[], topic: string, policy: TopicPolicy) =>
  fact(TopicPolicySet, { channelId: here, userIds, policy }, { topic });
const moved = (from: string, to: string, formerly: UserId[], users: UserId[], policies: TopicPolicy[]) =>
  fact(TopicPoliciesMoved, { channelId: here, toChannelId: there, formerly, users, policies }, { from, to });

describe('the read model of topic policies', () => {
  let test: TestKernel;
  beforeEach(async () => {
    const context = defineContext({ name: 'channels', events: TOPIC_POLICY_EVENTS, projections: [topicPoliciesView] });
    test = await openTestKernel([context]);
  });
  afterEach(() => test.close());

  const state = (...facts: TopicPolicyEvent[]) =>
    test.state(...facts.map((one) => [topicPoliciesStream(here), one] as const));
  const spans = async () =>
    (await test.rows('user_topics', 'user_id, from_position')).map((row) => [
      ...[row['user_id'], row['channel_id'], row['name'], row['policy'], row['from_position'], row['to_position']],
    ]);

  it('keeps a span for each policy, in any letter case of the name', async () => {
    await state(set([ann, bob], 'Lunch', muted));
    await state(set([ann], 'LUNCH', followed));
    await state(set([ann], 'lunch', inherit));
    expect(await spans()).toEqual([
      [ann, here, 'Lunch', muted, 1, 2],
      [ann, here, 'LUNCH', followed, 2, 3],
      [bob, here, 'Lunch', muted, 1, null],
    ]);
  });

  it('ends the policies of a moved topic and starts the new ones, also within one append', async () => {
    await state(set([ann, bob], 'Lunch', muted), moved('LUNCH', 'Dinner', [ann, bob], [bob], [followed]));
    await state(set([bob], 'lunch', muted));
    expect(await spans()).toEqual([
      [ann, here, 'Lunch', muted, 1, 2],
      [bob, here, 'Lunch', muted, 1, 2],
      [bob, there, 'Dinner', followed, 2, null],
      [bob, here, 'lunch', muted, 3, null],
    ]);
    expect(await readChosenPolicies(test.kernel.database.pool, REALM, bob)).toMatchObject([
      { channelId: here, name: 'lunch', policy: muted },
      { channelId: there, name: 'Dinner', policy: followed },
    ]);
  });

  it('returns policies, for some or all users, and up to which position they are complete', async () => {
    await state(set([ann, bob], 'Lunch', muted), set([ann], 'Dinner', followed));
    const topics = [
      { channelId: here, name: 'LUNCH' },
      { channelId: here, name: 'breakfast' },
      { channelId: here, name: 'dinner' },
    ];
    const read = (users: UserId[] | null) => readPoliciesAt(test.kernel.database.pool, REALM, topics, users);
    const [everybody, breakfast, dinner] = [
      new Map([
        [ann, muted],
        [bob, muted],
      ]),
      new Map(),
      new Map([[ann, followed]]),
    ];
    expect(await read(null)).toEqual({ position: 2, policies: [everybody, breakfast, dinner] });
    expect(await read([bob])).toEqual({ position: 2, policies: [new Map([[bob, muted]]), new Map(), new Map()] });
  });

  it('holds nothing of a topic whose name was erased', () => {
    const rows: unknown[] = [];
    const changes = { insert: (...row: unknown[]) => rows.push(row), update: (...row: unknown[]) => rows.push(row) };
    for (const one of [set([ann], 'Lunch', muted), moved('a', 'b', [ann], [ann], [muted])]) {
      topicPoliciesView.handlers.get(one.type)?.({ ...recorded(one), sealed: 'erased' }, changes as never);
    }
    expect(rows).toEqual([]);
  });
});
