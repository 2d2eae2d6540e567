import type { ChannelId, GroupId, Instant, MessageId, Position, Role, TopicId, UserId } from '@annals/kernel/domain';
import { Role as Roles, allowedIf } from '@annals/kernel/domain';
import type { Deletable, DeletionRules } from './deletion';
import { deleteMessages, endTopic, mayDelete, mayDeleteTopics, mayRestore } from './deletion';
import { reject } from './rejections';

const [ann, bob] = [1, 2] as UserId[] as [UserId, UserId];
const [NOBODY, EVERYONE, BAKERS] = [10, 11, 12] as GroupId[] as [GroupId, GroupId, GroupId];
const inTopic = { channelId: 3 as ChannelId, topicId: 4 as TopicId };
const sentAt = 1_000_000 as Instant;

const message = (id: number, more: Partial<Deletable> = {}): Deletable => ({
  id: id as MessageId,
  senderId: ann,
  sentAt,
  place: inTopic,
  arrived: id as Position,
  ...more,
});
const person = (userId: UserId, groups: readonly GroupId[] = [], role: Role = Roles.member) => ({
  userId,
  role,
  groups: new Set([EVERYONE, ...groups]),
});
const rules = (more: Partial<DeletionRules> = {}): DeletionRules => ({
  organization: { any: NOBODY, own: NOBODY },
  channel: null,
  limitSeconds: null,
  ...more,
});
const later = (ms: number) => (sentAt + ms) as Instant;

describe('permission to delete a message', () => {
  const verdict = (
    by: ReturnType<typeof person>,
    given: Partial<DeletionRules>,
    at = later(0),
    botOwner: UserId | null = null,
  ) => mayDelete(message(7), botOwner, by, rules(given), at).allowed;
  const any = { any: BAKERS, own: NOBODY };
  const own = { any: NOBODY, own: BAKERS };
  const baker = (user: UserId, role?: Role) => person(user, [BAKERS], role);

  it.each<[string, boolean, () => boolean]>([
    ['who may delete anything in the organization', true, () => verdict(baker(bob), { organization: any })],
    ['no guest by that', false, () => verdict(baker(bob, Roles.guest), { organization: any })],
    ['who may delete anything in the channel', true, () => verdict(baker(bob), { channel: any })],
    ['a guest by that', true, () => verdict(baker(bob, Roles.guest), { channel: any })],
    ['others', false, () => verdict(person(bob), { organization: any, channel: any })],
    ['the sender by the organization', true, () => verdict(baker(ann), { organization: own })],
    ['the sender by the channel', true, () => verdict(baker(ann), { channel: own })],
    ['a sender who is a guest', true, () => verdict(baker(ann, Roles.guest), { organization: own })],
    ['a sender without the permission', false, () => verdict(person(ann), { organization: own, channel: own })],
    ['others who may delete their own', false, () => verdict(baker(bob), { organization: own, channel: own })],
    ['the owner of the bot', true, () => verdict(baker(bob), { organization: own }, later(0), bob)],
    ['the owner of another bot', false, () => verdict(baker(bob), { organization: own }, later(0), 9 as UserId)],
  ])('%s: %s', (_who, may, asked) => expect(asked()).toBe(may));

  it('has a time limit for the user’s own messages only', () => {
    const limited = { organization: { any: NOBODY, own: EVERYONE }, limitSeconds: 60 };
    expect(verdict(person(ann), limited, later(60_000))).toBe(true);
    expect(verdict(person(ann), limited, later(60_001))).toBe(false);
    expect(verdict(person(bob), limited, later(60_001), bob)).toBe(false);
    expect(verdict(baker(bob), { ...limited, organization: any }, later(60_001))).toBe(true);
  });
});

describe('permission to restore a message', () => {
  const any = { any: BAKERS, own: NOBODY };
  const own = { any: NOBODY, own: EVERYONE };
  const verdict = async (
    by: ReturnType<typeof person>,
    given: Partial<DeletionRules>,
    maySend: boolean,
    botOwner: UserId | null = null,
  ) => {
    const sending = () => Promise.resolve(allowedIf(maySend, reject.mayNotSend));
    return (await mayRestore(message(7), botOwner, by, rules(given), sending)).allowed;
  };
  const baker = person(bob, [BAKERS]);

  it.each<[string, boolean, () => Promise<boolean>]>([
    ['who may delete anything, also where they may not send', true, () => verdict(baker, { channel: any }, false)],
    ['the sender', true, () => verdict(person(ann), { organization: own }, true)],
    ['the sender where they may not send', false, () => verdict(person(ann), { organization: own }, false)],
    ['the sender long after', true, () => verdict(person(ann), { organization: own, limitSeconds: 0 }, true)],
    ['the owner of the bot', true, () => verdict(person(bob), { organization: own }, true, bob)],
    [
      'the owner of the bot where they may not send',
      false,
      () => verdict(person(bob), { organization: own }, false, bob),
    ],
    ['a sender who may not delete', false, () => verdict(person(ann), {}, true)],
    ['others', false, () => verdict(person(bob), { organization: own }, true)],
  ])('%s: %s', async (_who, may, asked) => expect(await asked()).toBe(may));
});

describe('permission to delete topics', () => {
  it.each(Object.entries(Roles))('%s', (_name, role) => {
    expect(mayDeleteTopics({ role }).allowed).toBe(role <= Roles.administrator);
  });
});

describe('a deletion', () => {
  it('has the messages and their place', () => {
    const deleted = deleteMessages([message(7), message(9)], false);
    expect(deleted.data).toEqual({ place: inTopic, messageIds: [7, 9] });
  });

  it('has their arrival where history is protected', () => {
    const deleted = deleteMessages([message(7), message(9, { arrived: 12 as Position })], true);
    expect(deleted.data).toMatchObject({ messageIds: [7, 9], arrived: [7, 12] });
  });

  it('of no message is an error', () => expect(() => deleteMessages([], false)).toThrow('no messages to delete'));
});

describe('the end of a topic', () => {
  const topic = { id: inTopic.topicId, channelId: inTopic.channelId, name: 'Lunch', since: 0 as Position };

  it('has the topic', () => {
    expect(endTopic(topic)).toMatchObject([{ data: { topicId: 4, channelId: 3 }, sealed: { name: 'Lunch' } }]);
    expect(endTopic({ ...topic, name: null })).toMatchObject([{ sealed: { name: '' } }]);
  });

  it('is recorded once', () => expect(endTopic(null)).toEqual([]));
});
