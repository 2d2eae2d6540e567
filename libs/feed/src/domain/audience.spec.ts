import type { Audience, ChannelId, GroupId, Instant, Position, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { AudienceFacts, AudienceNeeds, Listener } from './audience';
import { addresses, collectNeeds, mayAddress } from './audience';

const user = (id: number) => id as UserId;
const channel = 1 as ChannelId;
const group = 1 as GroupId;
const roles = new Map([
  [user(1), Role.owner],
  [user(3), Role.moderator],
  [user(4), Role.member],
  [user(6), Role.guest],
]);
const gone = user(9);
const everybody = [1, 3, 4, 6, 9].map(user);

/** Members 3 and 6, metadata 1 and 3, content 4, subscriber list 3; all of it only since position 10. */
const facts: AudienceFacts = {
  guests: [],
  roleOf: (id) => roles.get(id) ?? null,
  isMember: (_, id, { position }) => position >= 10 && (id === 3 || id === 6),
  wasMember: (_, id, positions) => positions.includes(5 as Position) && (id === 4 || id === 9),
  mayKnow: (_, id, { position }) => position >= 10 && (id === 1 || id === 3),
  mayRead: (_, id, { position }) => position >= 10 && id === 4,
  maySeeSubscribers: (_, id, { position }) => position >= 10 && id === 3,
  isPublic: (_, { position }) => position >= 10,
  isInGroup: (_, id, { position }) => position >= 10 && id === 4,
};

const receivers = (audience: Audience, position = 10, allPublicStreams = false) =>
  everybody.filter((userId) => {
    const listener: Listener = { userId, allPublicStreams };
    return addresses(audience, listener, { position: position as Position, at: 0 as Instant }, facts);
  });

describe('an audience', () => {
  const cases: [string, Audience, number[]][] = [
    ['everyone', { kind: 'everyone' }, [1, 3, 4, 6]],
    ['named users', { kind: 'users', users: [user(4), gone] }, [4, 9]],
    ['roles', { kind: 'roles', atMost: Role.moderator }, [1, 3]],
    ['all but guests', { kind: 'roles', atMost: Role.member }, [1, 3, 4]],
    ['guests', { kind: 'guests' }, [6]],
    ['members of a channel', { kind: 'members', channel }, [3, 6]],
    ['former ones', { kind: 'members-at', channel, positions: [4, 5] as Position[] }, [4, 9]],
    ['those who may know a channel', { kind: 'metadata', channel }, [1, 3]],
    ['those who may read a channel', { kind: 'content', channel }, [4]],
    ['those who may see its subscribers', { kind: 'subscriber-list', channel }, [3]],
    ['members of a group', { kind: 'group', group }, [4]],
    ['several', { kind: 'any', of: [{ kind: 'guests' }, { kind: 'group', group }] }, [4, 6]],
    ['nobody', { kind: 'any', of: [] }, []],
    ['some without others', { kind: 'but', these: { kind: 'everyone' }, not: { kind: 'members', channel } }, [1, 4]],
  ];
  it.each(cases)('of %s contains exactly these users', (_, audience, expected) => {
    expect(receivers(audience)).toEqual(expected);
  });

  it('is evaluated with the facts at the position of the event', () => {
    expect(receivers({ kind: 'members', channel }, 9)).toEqual([]);
    expect(receivers({ kind: 'members', channel }, 10)).toEqual([3, 6]);
  });

  it('of queues with all public channels needs such a queue, a public channel and no guest', () => {
    const audience: Audience = { kind: 'all-public', channel };
    expect(receivers(audience, 10, true)).toEqual([1, 3, 4]);
    expect(receivers(audience, 9, true)).toEqual([]);
    expect(receivers(audience, 10, false)).toEqual([]);
  });

  it('lists the channels and groups that it needs, and since when', () => {
    const needs: AudienceNeeds = {
      members: new Set<ChannelId>(),
      since: null,
      access: new Set<ChannelId>(),
      privacy: new Set<ChannelId>(),
      groups: new Set<GroupId>(),
    };
    type Six = [ChannelId, ChannelId, ChannelId, ChannelId, ChannelId, ChannelId];
    const of = [2, 3, 4, 5, 6, 7].map((id) => id as ChannelId);
    const [members, metadata, list, all, content, former] = of as Six;
    collectNeeds(
      {
        kind: 'but',
        these: {
          kind: 'any',
          of: [
            { kind: 'members', channel: members },
            { kind: 'members-at', channel: former, positions: [8, 12] as Position[] },
            { kind: 'members-at', channel: former, positions: [9] as Position[] },
            { kind: 'metadata', channel: metadata },
            { kind: 'subscriber-list', channel: list },
            { kind: 'all-public', channel: all },
            { kind: 'content', channel: content },
          ],
        },
        not: { kind: 'group', group },
      },
      needs,
    );
    expect(needs).toEqual({
      members: new Set([2, 3, 4, 6, 7]),
      since: 8,
      access: new Set([3, 4, 6]),
      privacy: new Set([5]),
      groups: new Set([1]),
    });
  });
});

describe('whether an event may be for a user', () => {
  const [me, other] = [1 as UserId, 2 as UserId];
  const just = (...users: UserId[]): Audience => ({ kind: 'users', users });
  it.each<[string, Audience, boolean]>([
    ['those who are named', just(other, me), true],
    ['others', just(other), false],
    ['one of several', { kind: 'any', of: [just(other), just(me)] }, true],
    ['none of several', { kind: 'any', of: [just(other), { kind: 'any', of: [] }] }, false],
    ['all but some, of whom facts must tell', { kind: 'but', these: just(me), not: { kind: 'everyone' } }, true],
    ['others but some', { kind: 'but', these: just(other), not: { kind: 'everyone' } }, false],
    ['those of whom facts must tell', { kind: 'members', channel: 1 as ChannelId }, true],
  ])('is known without facts: %s', (_, audience, expected) => {
    expect(mayAddress(audience, me)).toBe(expected);
  });
});
