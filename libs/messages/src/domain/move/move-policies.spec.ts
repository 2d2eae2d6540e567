import type { ChannelId, GroupId, Instant, MessageId, Role, UserId } from '@annals/kernel/domain';
import type { MoveRequest } from './move';
import type { MoveFacts, MovingChannel } from './move-policies';
import { limitOf, mayBeMoved, mayBeNamed } from './move-policies';

const [NOBODY, TEAM, EVERYONE] = [1, 2, 3] as [GroupId, GroupId, GroupId];
const SECOND = 1_000;
const AT = 1_000_000 as Instant;

const channel = (different: Partial<MovingChannel> = {}): MovingChannel => ({
  inviteOnly: false,
  isWebPublic: false,
  historyPublicToSubscribers: true,
  isArchived: false,
  topicsPolicy: 'allow_empty_topic',
  canSend: EVERYONE,
  canCreateTopic: EVERYONE,
  canMoveWithin: NOBODY,
  canMoveOut: NOBODY,
  canResolve: NOBODY,
  isAdministered: false,
  ...different,
});
const somebody = (role: Role = 400, ...groups: GroupId[]) => ({
  sender: { userId: 1 as UserId, role, groups: new Set([EVERYONE, ...groups]) },
  isSubscribed: true,
  readsByGroup: false,
  owner: null,
});
const rules = {
  canMoveBetweenTopics: TEAM,
  canMoveBetweenChannels: TEAM,
  canResolveTopics: TEAM,
  betweenTopicsSeconds: null,
  betweenChannelsSeconds: null,
};
const facts = (different: Partial<MoveFacts> = {}): MoveFacts => ({
  rules,
  origin: channel(),
  target: channel(),
  poster: somebody(400, TEAM),
  targetExists: true,
  sentAt: AT,
  age: { total: 3, movable: 2, firstMovable: 7 as MessageId },
  ...different,
});
const move = (to: { channelId?: number; name?: string }, different: Partial<MoveRequest> = {}): MoveRequest => ({
  messageId: 5 as MessageId,
  mode: 'change_one',
  from: { channelId: 1 as ChannelId, name: 'x' },
  to: { channelId: (to.channelId ?? 1) as ChannelId, name: to.name ?? 'x' },
  togglesResolved: false,
  ...different,
});
const [renamed, moved, both] = [move({ name: 'y' }), move({ channelId: 2 }), move({ channelId: 2, name: 'y' })];
const resolved = move({ name: '✔ x' }, { togglesResolved: true });
const codeOf = (verdict: ReturnType<typeof mayBeNamed>) => (verdict.allowed ? 'allowed' : verdict.because.code);

describe('the time limit of a move', () => {
  const limited = { ...rules, betweenTopicsSeconds: 60, betweenChannelsSeconds: 30 };

  it.each([
    [renamed, 80],
    [moved, 50],
    [both, 50],
    [resolved, null],
  ])('has a grace period, and is the smaller one for a new topic in another channel (row %#)', (one, seconds) => {
    expect(limitOf(one, { role: 400 }, limited)).toBe(seconds);
    for (const role of [100, 200, 300] as const) expect(limitOf(one, { role }, limited)).toBeNull();
  });

  it('refuses older messages, and names those that may be moved', () => {
    const old = facts({ rules: limited, sentAt: (AT - 80 * SECOND - 1) as Instant });
    const verdict = mayBeNamed(renamed, old, AT);
    expect(verdict).toMatchObject({
      allowed: false,
      because: {
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        extra: {
          first_message_id_allowed_to_move: 7,
          total_messages_in_topic: 3,
          total_messages_allowed_to_move: 2,
        },
      },
    });
    expect(mayBeNamed(renamed, { ...old, sentAt: (AT - 80 * SECOND) as Instant }, AT).allowed).toBe(true);
    expect(mayBeNamed(resolved, old, AT).allowed).toBe(true);
  });

  it('refuses the whole topic if a part of it is too old', () => {
    const all = (one: MoveRequest) => mayBeMoved({ ...one, mode: 'change_all' }, facts({ rules: limited }), AT);
    expect([renamed, moved, both, resolved].map((one) => codeOf(all(one)))).toEqual([
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      'allowed',
    ]);
    expect(mayBeMoved({ ...renamed, mode: 'change_later' }, facts({ rules: limited }), AT).allowed).toBe(true);
    expect(mayBeMoved({ ...renamed, mode: 'change_all' }, facts(), AT).allowed).toBe(true);
  });
});

describe('the order of refusals', () => {
  const closed = channel({ canSend: NOBODY, canCreateTopic: NOBODY, topicsPolicy: 'empty_topic_only' });
  const messageOf = (verdict: ReturnType<typeof mayBeNamed>) => (verdict.allowed ? null : verdict.because.message);

  it('is the topics policy, the permission, the age of the message', () => {
    const late = { sentAt: 0 as Instant, rules: { ...rules, canMoveBetweenTopics: NOBODY, betweenTopicsSeconds: 1 } };
    expect(messageOf(mayBeNamed(renamed, facts({ ...late, target: closed }), AT))).toMatch(/general chat/i);
    expect(messageOf(mayBeNamed(renamed, facts(late), AT))).toMatch(/permission/);
  });

  it('is the permission to leave the channel, to post in the other one, the age, and the permission to create a topic', () => {
    const target = channel({ canSend: NOBODY, canCreateTopic: NOBODY });
    const late = { sentAt: 0 as Instant, targetExists: false };
    const limited = { ...rules, betweenChannelsSeconds: 1 };
    const stuck = { ...limited, canMoveBetweenChannels: NOBODY };
    expect(messageOf(mayBeMoved(moved, facts({ ...late, target, rules: stuck }), AT))).toMatch(/move this message/);
    expect(messageOf(mayBeMoved(moved, facts({ ...late, target, rules: limited }), AT))).toMatch(
      /post in this channel/,
    );
    const open = { ...target, canSend: EVERYONE };
    expect(messageOf(mayBeMoved(moved, facts({ ...late, target: open, rules: limited }), AT))).toMatch(/most recent/);
    expect(messageOf(mayBeMoved(moved, facts({ ...late, target: open }), AT))).toMatch(/create new topics/);
    expect(mayBeMoved(resolved, facts({ ...late, target: open }), AT).allowed).toBe(true);
  });
});
