import type { UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { StatusChanged } from './events';
import type { Status, StatusEmoji } from './status';
import { NO_STATUS, changeStatus, mayChangeStatus, statusOf } from './status';

const [ann, bob] = [1, 2] as [UserId, UserId];
const car: StatusEmoji = { type: 'unicode_emoji', code: '1f697', name: 'car' };
const driving: Status = { text: 'driving', emoji: car };

describe('a status', () => {
  it('changes as a whole, and says what changed', () => {
    expect(changeStatus(NO_STATUS, ann, { text: 'driving', emoji: car })).toEqual([
      fact(
        StatusChanged,
        { userId: ann, changed: ['text', 'emoji'], hasText: true, emoji: { type: car.type, code: car.code } },
        { text: 'driving', emojiName: 'car' },
      ),
    ]);
    expect(changeStatus(driving, ann, { text: '' })).toMatchObject([
      { data: { changed: ['text'], hasText: false }, sealed: { text: '', emojiName: 'car' } },
    ]);
    expect(changeStatus(driving, ann, { emoji: null })).toMatchObject([
      { data: { changed: ['emoji'], emoji: null }, sealed: { text: 'driving', emojiName: '' } },
    ]);
  });

  it('gives no event if nothing changes', () => {
    for (const change of [{}, { text: 'driving' }, { emoji: { ...car } }, driving]) {
      expect(changeStatus(driving, ann, change)).toEqual([]);
    }
  });

  it('is that of its event, and none after an erasure', () => {
    const [changed] = changeStatus(NO_STATUS, ann, driving);
    if (!changed) throw new Error('nothing changed');
    expect(statusOf(changed)).toEqual(driving);
    expect(statusOf({ ...changed, sealed: 'erased' })).toEqual(NO_STATUS);
  });
});

describe('the status of', () => {
  const actor = (role: Role) => ({ userId: ann, role });
  const other = { userId: bob, isActive: true, botOwnerId: null };

  it.each([
    ['oneself is changed by everybody', Role.guest, { ...other, userId: ann }, true, true],
    ['another one is changed by administrators', Role.administrator, other, false, true],
    ['another one is not changed by members', Role.member, other, false, false],
    [
      'the own account is not changed by a member as that of another one',
      Role.member,
      { ...other, userId: ann },
      false,
      false,
    ],
    ['a bot is changed by its owner', Role.member, { ...other, botOwnerId: ann }, false, true],
    ['a deactivated user is not changed', Role.owner, { ...other, isActive: false }, false, false],
  ])('%s', (_, role, owner, isOwn, isAllowed) => {
    expect(mayChangeStatus(actor(role), owner, isOwn).allowed).toBe(isAllowed);
  });
});
