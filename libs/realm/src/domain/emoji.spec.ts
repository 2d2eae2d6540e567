import type { Actor, GroupId, UserId } from '@annals/kernel/domain';
import { Rejected, Role } from '@annals/kernel/domain';
import type { EmojiRules } from './emoji';
import { addEmoji, deactivateEmoji, emojiName } from './emoji';
import { isCut, pictureKind } from './picture';

const [MEMBERS] = [5] as [GroupId];
const who = (id: number, role: Role, ...groups: GroupId[]) =>
  ({ userId: id as UserId, role, groups: new Set(groups) }) as unknown as Actor;
const admin = who(1, Role.administrator, MEMBERS);
const author = who(2, Role.member, MEMBERS);
const other = who(3, Role.member);
const guest = who(4, Role.guest, MEMBERS);
const emoji = { emojiId: 7, name: 'logo', file: 'f.png', size: 3 };
const rules = (different: Partial<EmojiRules> = {}): EmojiRules => ({
  canAdd: MEMBERS,
  isTaken: false,
  isBuiltIn: false,
  ...different,
});
const refusal = (act: () => unknown): string | undefined => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.message : undefined;
  }
  return undefined;
};

describe('adding an emoji', () => {
  it('is a fact whose name is sealed', () => {
    expect(addEmoji(emoji, author, rules())).toEqual([
      {
        type: 'realm.EmojiAdded',
        data: { emojiId: 7, authorId: 2, file: 'f.png', size: 3 },
        sealed: { name: 'logo' },
      },
    ]);
  });

  it('names a still image of an animated one', () => {
    const still = { stillFile: 'f-still.png', stillSize: 2 };
    const [added] = addEmoji({ ...emoji, file: 'f.gif', ...still }, author, rules());
    expect(added?.data).toEqual({ emojiId: 7, authorId: 2, file: 'f.gif', size: 3, ...still });
  });

  it.each<[string, Actor, Partial<EmojiRules>, string | undefined]>([
    ['somebody without the permission', other, {}, 'You do not have permission to add custom emoji.'],
    ['a guest with it', guest, {}, 'You do not have permission to add custom emoji.'],
    ['a name that is taken', admin, { isTaken: true }, 'A custom emoji with this name already exists.'],
    ['a name of Unicode', author, { isBuiltIn: true }, 'Only administrators can override default emoji.'],
    ['a name of Unicode, by an administrator', admin, { isBuiltIn: true }, undefined],
  ])('by %s', (_, by, different, why) => {
    expect(refusal(() => addEmoji(emoji, by, rules(different)))).toBe(why);
  });

  it.each([
    ['logo', 'logo'],
    [' our new-logo 2 ', 'our_new-logo_2'],
  ])('under the name %j', (written, name) => expect(emojiName(written)).toBe(name));

  it.each(['', ' ', 'Logo', 'lo:go', 'logo_', 'logo-', 'lögo', 'x'.repeat(61)])('is refused as %j', (written) =>
    expect(refusal(() => emojiName(written))).toBeDefined(),
  );
});

describe('deactivating an emoji', () => {
  const state = { authorId: author.userId, isDeactivated: false };

  it('is permitted to its author and to administrators', () => {
    const deactivated = [{ type: 'realm.EmojiDeactivated', data: { emojiId: 7 }, sealed: null }];
    for (const by of [admin, author]) expect(deactivateEmoji(state, 7, by)).toEqual(deactivated);
    expect(refusal(() => deactivateEmoji(state, 7, other))).toMatch('Must be');
  });

  it('is done once', () => {
    for (const gone of [null, { ...state, isDeactivated: true }]) {
      expect(refusal(() => deactivateEmoji(gone, 7, admin))).toMatch('no such');
    }
  });
});

it.each([
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'png'],
  ['GIF87a', 'gif'],
  ['\xff\xd8\xff\xe1', 'jpg'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
  ['', null],
  ['\x89PNG', null],
  ['GIF88a', null],
  ['RIFF\0\0\0\0WAVE', null],
  ['<svg/>', null],
])('the bytes %j are of the kind %s', (bytes, kind) => {
  expect(pictureKind(Buffer.from(bytes, 'latin1'))).toBe(kind);
});

describe('a GIF', () => {
  const header = [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const extension = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const whole = [...header, ...extension, ...frame, ...extension, ...frame, 0x3b];

  it('is truncated if it ends within a frame', () => {
    const ends = whole.flatMap((_, n) => (isCut(Uint8Array.from(whole.slice(0, n + 1))) ? [] : [n + 1]));
    const between = [
      header.length,
      header.length + extension.length,
      header.length + extension.length + frame.length,
      header.length + extension.length * 2 + frame.length,
      whole.length - 1,
    ];
    expect(ends.filter((end) => end >= header.length)).toEqual([...between, whole.length]);
  });

  it('is complete whatever follows its end. Other formats are not checked', () => {
    expect(isCut(Uint8Array.from([...whole, 0x21]))).toBe(false);
    expect(isCut(Buffer.from('\xff\xd8\xff', 'latin1'))).toBe(false);
  });
});
