import { TopicPolicies } from '@annals/channels';
import type { SystemActor } from '@annals/kernel';
import fc from 'fast-check';
import { act } from './act';
import { pick, viewer } from './world';

const channel = fc.nat(9);
const policy = fc.nat(3);
/** Topics of `messageActs`, in one letter case or another. */
const name = (number: number, isLoud: boolean) => (isLoud ? `TOPIC ${number}` : `topic ${number}`);

/** Acts that mute, unmute and follow topics. */
export const topicPolicyActs = [
  act('choose', 4, fc.record({ viewer, channel, policy, isLoud: fc.boolean() }), (world, chosen) =>
    world.viewer(chosen.viewer).post('/user_topics', {
      stream_id: world.channel(chosen.channel),
      topic: name(chosen.channel, chosen.isLoud),
      visibility_policy: chosen.policy,
    }),
  ),
];

/** Acts that set policies of topics, and their automatic changes. */
export const topicActs = [
  ...topicPolicyActs,
  act('prefer', 1, fc.record({ viewer, called: fc.boolean() }), (world, { viewer, called }) =>
    world.viewer(viewer).patch('/settings', { automatically_follow_topics_where_mentioned: called }),
  ),
  act(
    'carry',
    2,
    fc.record({ from: channel, to: channel, isLoud: fc.boolean(), targetHadMessages: fc.boolean() }),
    async ({ server, channels }, { from, to, isLoud, targetHadMessages }) => {
      const [origin, target] = [pick(channels, from), pick(channels, to)];
      if (origin === undefined || target === undefined) return;
      const move = {
        from: { channelId: origin, name: name(from, isLoud) },
        to: { channelId: target, name: name(to, !isLoud) },
        targetHadMessages,
      };
      const caller = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000003', address: null };
      await server.kernel.work.run({ realmId: 1, userId: null, origin: caller } as SystemActor, async (work) =>
        server.apis[0]?.app.get(TopicPolicies).moved(work, move),
      );
    },
  ),
];
