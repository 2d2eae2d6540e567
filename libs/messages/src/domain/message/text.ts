import { reject } from '../rejections';

/** Code points (contract/conventions.md section 7). */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_TOPIC_LENGTH = 60;
const TRUNCATED = '\n[message truncated]';
const DELETED = '(deleted)';

/**
 * Shortens a text to a number of code points.
 *
 * @param mark appended to a text that was cut; included in the maximum
 */
export function cut(text: string, max: number, mark: string): string {
  // A text has at most as many code points as UTF-16 units, so most texts need no counting.
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max - [...mark].length).join('') + mark;
}

/** A topic's name as it is stored, cut to the maximum length. */
export const cutTopic = (name: string): string => cut(name, MAX_TOPIC_LENGTH, '...');

/**
 * The text of a new message as it is stored (contract/messages.md section 3).
 *
 * @throws Rejected BAD_REQUEST when it is blank
 */
export function sentContent(written: string): string {
  const content = tidy(written);
  if (content === '') throw reject.emptyMessage();
  return content;
}

/** A text with another one below it, which stays whole: the first one is cut if both are longer than a message may be. */
export function withEnding(text: string, ending: string): string {
  if (ending === '') return text;
  const above = text.trimEnd();
  const room = MAX_MESSAGE_LENGTH - [...ending].length - 2;
  return above === '' || room <= TRUNCATED.length ? ending : `${cut(above, room, TRUNCATED)}\n\n${ending}`;
}

/** The text of an edited message as it is stored; a blank one becomes `(deleted)` (section 5.3). */
export const editedContent = (written: string): string => tidy(written) || DELETED;

/** The text that a preview shows: as it is stored when it is sent, except that a blank one is allowed. */
export const previewedContent = (written: string): string => tidy(written);

function tidy(written: string): string {
  const text = written.trimEnd().replace(/^[\r\n]+/, '');
  return cut(text, MAX_MESSAGE_LENGTH, TRUNCATED);
}
