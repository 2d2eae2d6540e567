import { plain } from '../../domain/message/notice-text';
import { emojiTableOf, withEmojiTable } from './emoji-table';

describe('the mark of the emoji names of a text', () => {
  it('is recorded for names that meant something else before, or nothing', () => {
    for (const names of [['cat'], ['tada', 'happy'], ['germany']])
      expect(emojiTableOf(names)).toEqual({ emojiTable: 1 });
  });

  it('is left out for names that always meant the same, and for words that are no names', () => {
    for (const names of [[], ['tada', '+1'], ['nothing_of_the_kind', '30']]) expect(emojiTableOf(names)).toBeNull();
  });

  it('is added to notices', () => {
    expect(withEmojiTable(plain(':cat:')).names).toMatchObject({ emojiTable: 1 });
    expect(withEmojiTable(plain('a cat')).names).not.toHaveProperty('emojiTable');
  });
});
