import type { UserId } from '@annals/kernel/domain';
import { isGenerated } from '../../domain/profile/avatar';
import { AVATAR_FILE, avatarFileOf } from './avatar';
import { generatedAvatar, seedIn } from './generated-avatar';

const UUID = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';
const ID = 4_242 as UserId;

describe('the name of a generated picture', () => {
  const file = generatedAvatar(UUID, ID);

  it('is a name of a picture, and is told from those of own ones', () => {
    expect(avatarFileOf(file, 'medium')).toMatch(AVATAR_FILE);
    expect(isGenerated(file)).toBe(true);
  });

  it('says what the picture is drawn from, and is another one for each account and organization', () => {
    expect(seedIn(file, UUID)).toBe(`${UUID}:4242`);
    expect(new Set([file, generatedAvatar(UUID, 4_243 as UserId), generatedAvatar(OTHER, ID)]).size).toBe(3);
  });

  it.each([
    ['of another organization', generatedAvatar(OTHER, ID)],
    ['with another digest', `${file.slice(0, 24)}${'0'.repeat(8)}`],
    ['of no account', '0'.repeat(32)],
    ['of a picture of somebody', 'a'.repeat(32)],
  ])('is refused when it is one %s', (_, name) => expect(seedIn(name, UUID)).toBeNull());
});
