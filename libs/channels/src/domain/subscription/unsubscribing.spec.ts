import type { ChannelId, GroupId, Role, UserId } from '@annals/kernel/domain';
import { changeProperty } from './subscription';
import { mayUnsubscribe, unsubscribe } from './unsubscribing';

const [ann, bob, bot] = [1, 2, 3] as [UserId, UserId, UserId];
const [design, ops] = [7, 8] as [ChannelId, ChannelId];
const [NOBODY, REMOVERS] = [1, 20] as [GroupId, GroupId];

const actor = (role: Role = 400, ...groups: GroupId[]) => ({ userId: ann, role, groups: new Set(groups) });
const person = (userId: UserId) => ({ userId, botOwnerId: null });
const ownBot = { userId: bot, botOwnerId: ann };
const open = { settings: { can_remove_subscribers_group: REMOVERS } };
const closed = { settings: { can_remove_subscribers_group: NOBODY } };

it('is one event for each channel that loses a subscriber', () => {
  const facts = unsubscribe([
    {
      channelId: design,
      candidates: [
        { userId: ann, isSubscribed: true },
        { userId: bob, isSubscribed: false },
      ],
    },
    { channelId: ops, candidates: [{ userId: bob, isSubscribed: false }] },
  ]);
  expect(facts.map(({ data }) => data)).toEqual([{ channelId: design, userIds: [ann] }]);
});

it.each([
  ['oneself', [person(ann)], actor(), true],
  ['oneself, a guest', [person(ann)], actor(600), true],
  ['nobody', [], actor(), true],
  ['others, an administrator', [person(ann), person(bob)], actor(200), true],
  ['others', [person(bob)], actor(), false],
  ['others, a moderator', [person(bob)], actor(300), false],
  ['own bots and oneself', [person(ann), ownBot], actor(), true],
  ['own bots, a guest', [ownBot], actor(600), false],
  ['own bots and others', [ownBot, person(bob)], actor(), false],
  ['others, let by one channel of two', [person(bob)], actor(400, REMOVERS), false],
])('may unsubscribe: %s', (_, leavers, by, may) => {
  expect(mayUnsubscribe(leavers, [open, closed], by).allowed).toBe(may);
});

it.each<[Role, boolean]>([
  [400, true],
  [600, false],
])('all channels let role %s unsubscribe others: %s', (role, may) => {
  expect(mayUnsubscribe([person(bob), ownBot], [open, open], actor(role, REMOVERS)).allowed).toBe(may);
});

it('guests may not unsubscribe others, not even from an empty list of channels', () => {
  expect(mayUnsubscribe([person(bob)], [], actor(600)).allowed).toBe(false);
});

it('a setting of a subscription is an event even when nothing changes, and is refused without a subscription', () => {
  const [fact] = changeProperty(ann, design, true, { property: 'is_muted', value: false });
  expect(fact?.data).toEqual({ userId: ann, channelId: design, property: 'is_muted', value: false });
  const denied = () => changeProperty(ann, design, false, { property: 'color', value: '#000000' });
  expect(denied).toThrow('Not subscribed to channel ID 7');
});
