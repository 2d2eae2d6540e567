import { earlierEmojiCode, references, unicodeEmojiCode } from '@annals/markdown';
import type { WrittenNames } from '../../domain/events';
import type { NoticeText } from '../../domain/message/notice-text';

/** The mark of a text with these emoji names, or null where they mean the same without a mark. */
export const emojiTableOf = (names: readonly string[]): Required<Pick<WrittenNames, 'emojiTable'>> | null =>
  names.some((name) => unicodeEmojiCode(name) !== earlierEmojiCode(name)) ? { emojiTable: 1 } : null;

/** A notice whose names of Unicode emoji mean what they mean now. */
export const withEmojiTable = ({ content, names }: NoticeText): NoticeText => ({
  content,
  names: { ...names, ...emojiTableOf(references(content).emoji) },
});
