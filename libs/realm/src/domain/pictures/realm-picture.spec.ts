import { Role } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import { changePicture, picturesAggregate } from './realm-picture';

const admin = { role: Role.administrator };
const changed = (picture: 'icon' | 'logo', file: string | null) => changePicture({}, picture, file, admin);

describe('the pictures of an organization', () => {
  it('are replaced and removed one by one', () => {
    const [icon, logo, other] = [changed('icon', 'a.png'), changed('logo', 'b.png'), changed('icon', 'c.png')];
    const state = given(picturesAggregate, ...icon, ...logo, ...other);
    expect(state).toEqual({ icon: 'c.png', logo: 'b.png' });
    const removed = changePicture(state, 'icon', null, admin);
    expect(removed.map(({ data }) => data)).toEqual([{ picture: 'icon', file: null }]);
    expect(given(picturesAggregate, ...icon, ...logo, ...removed)).toEqual({ logo: 'b.png' });
  });

  it('do not change if there is none to remove', () => expect(changed('icon', null)).toEqual([]));

  it.each([
    [Role.owner, true],
    [Role.administrator, true],
    [Role.moderator, false],
    [Role.member, false],
    [Role.guest, false],
  ])('may be changed in role %i: %s', (role, may) => {
    const change = () => changePicture({}, 'logo', 'a.png', { role });
    if (may) expect(change()).toHaveLength(1);
    else expect(change).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }) as Error);
  });
});
