import type { ChannelId, UserId } from '@annals/kernel/domain';
import type { AutomaticSettings, NamedTopicPlace, Participation } from './topic-policies';
import {
  OCCASIONS,
  POLICIES,
  automaticPolicy,
  isFollowedWhenMentioned,
  movePolicies,
  setPolicy,
} from './topic-policies';
import type { TopicPolicy } from './topic-policy-events';

const { inherit, muted, unmuted, followed } = POLICIES;
const { participation, send, initiation, never } = OCCASIONS;
const [ann, bob, cat] = [1, 2, 3] as [UserId, UserId, UserId];
const [here, there] = [7, 8] as [ChannelId, ChannelId];
const topic = (name: string, channelId = here): NamedTopicPlace => ({ channelId, name });
const chosen = (...pairs: [UserId, TopicPolicy][]) => new Map(pairs);

describe('setting the policy of a topic', () => {
  it('records users whose policy changes, and the topic as it was written', () => {
    expect(setPolicy(topic('Lunch'), [ann, bob, cat], muted, chosen([bob, muted], [cat, followed]))).toEqual([
      {
        type: 'channels.TopicPolicySet',
        data: { channelId: here, userIds: [ann, cat], policy: muted },
        sealed: { topic: 'Lunch' },
      },
    ]);
  });

  it('leaves no event if nothing changes', () => {
    expect(setPolicy(topic('Lunch'), [ann], inherit, chosen())).toEqual([]);
    expect(setPolicy(topic('Lunch'), [ann], followed, chosen([ann, followed]))).toEqual([]);
    expect(setPolicy(topic('Lunch'), [], followed, chosen())).toEqual([]);
  });
});

describe('a topic that moves', () => {
  const move = {
    from: topic('old'),
    to: topic('new', there),
    chosenFrom: chosen([ann, followed], [bob, muted]),
    chosenTo: chosen([bob, unmuted], [cat, muted]),
    targetHadMessages: true,
    mayRead: () => true,
  };
  const fact = (users: UserId[], policies: TopicPolicy[]) => [
    {
      type: 'channels.TopicPoliciesMoved',
      data: { channelId: here, toChannelId: there, formerly: [ann, bob], users, policies },
      sealed: { from: 'old', to: 'new' },
    },
  ];

  it('gets the more visible of both policies if both had messages', () => {
    expect(movePolicies(move)).toEqual(fact([ann, cat], [followed, inherit]));
  });

  it('keeps its policy if there was no other topic', () => {
    expect(movePolicies({ ...move, targetHadMessages: false })).toEqual(
      fact([ann, bob, cat], [followed, muted, inherit]),
    );
  });

  it('loses the policies of users who may not read the new channel', () => {
    expect(movePolicies({ ...move, mayRead: (user) => user === bob })).toEqual(fact([], []));
  });

  it('leaves no event without policies, or if only the letter case changes', () => {
    expect(movePolicies({ ...move, chosenFrom: chosen(), chosenTo: chosen() })).toEqual([]);
    expect(movePolicies({ ...move, chosenFrom: chosen(), chosenTo: chosen([ann, followed]) })).toEqual([]);
    expect(movePolicies({ ...move, to: topic('OLD') })).toEqual([]);
  });
});

describe('the automatic policy of a topic', () => {
  const becomes = (
    did: Participation,
    follow: AutomaticSettings['automatically_follow_topics_policy'],
    unmute: typeof follow,
    { current = inherit, isMuted = true }: { current?: TopicPolicy; isMuted?: boolean } = {},
  ) =>
    automaticPolicy(
      current,
      did,
      { automatically_follow_topics_policy: follow, automatically_unmute_topics_in_muted_streams_policy: unmute },
      isMuted,
    );

  it.each<[typeof participation | typeof send | typeof initiation | typeof never, Participation, boolean]>([
    [participation, 'begun', true],
    [participation, 'sent', true],
    [participation, 'reacted', true],
    [send, 'begun', true],
    [send, 'sent', true],
    [send, 'reacted', false],
    [initiation, 'begun', true],
    [initiation, 'sent', false],
    [initiation, 'reacted', false],
    [never, 'begun', false],
    [never, 'sent', false],
    [never, 'reacted', false],
  ])('for the setting %d, once it is %s: acts %s', (setting, did, acts) => {
    expect(becomes(did, setting, never)).toBe(acts ? followed : null);
    expect(becomes(did, never, setting)).toBe(acts ? unmuted : null);
    expect(becomes(did, never, setting, { isMuted: false })).toBeNull();
    expect(becomes(did, setting, setting)).toBe(acts ? followed : null);
  });

  it('is never less visible than before', () => {
    expect(becomes('begun', participation, participation, { current: followed })).toBeNull();
    expect(becomes('sent', never, send, { current: unmuted })).toBeNull();
    expect(becomes('sent', never, send, { current: muted })).toBe(unmuted);
    expect(becomes('sent', send, never, { current: unmuted })).toBe(followed);
  });

  it('does not change a topic that was muted on purpose', () => {
    expect(becomes('begun', initiation, initiation, { current: muted })).toBeNull();
    expect([inherit, muted, unmuted, followed].map(isFollowedWhenMentioned)).toEqual([true, false, true, false]);
  });
});
