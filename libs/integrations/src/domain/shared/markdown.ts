const PUNCTUATION = /[!-/:-@[-`{-~]$/;
const FENCES = /^[ \t]*(~{3,})/gm;
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A block with a quotation. Its fence is longer than every fence in the text, so the text cannot end the block. */
export function quoted(text: string): string {
  const longest = [...text.matchAll(FENCES)].reduce((length, [, fence = '']) => Math.max(length, fence.length), 2);
  const fence = '~'.repeat(longest + 1);
  return `${fence} quote\n${text}\n${fence}`;
}

export const link = (text: string, url: string): string => `[${text}](${url})`;

/** The text with a full stop, unless it ends with punctuation. */
export const asSentence = (text: string): string => (endsWithPunctuation(text) ? text : `${text}.`);

export const endsWithPunctuation = (text: string): boolean => PUNCTUATION.test(text);

/** A time that each reader sees in their own time zone. A text that is no time is not changed. */
export function globalTime(iso: string): string {
  const [, time, zone] = INSTANT.exec(iso) ?? [];
  return time === undefined ? iso : `<time:${time}${zone === 'Z' ? '+00:00' : zone}>`;
}

/** The same of seconds since the epoch. They must be within the calendar. */
export const globalTimeOf = (seconds: number): string => globalTime(new Date(seconds * 1000).toISOString());

/** Whether seconds since the epoch are a time that ISO 8601 writes with four digits for the year. */
export const isInCalendar = (seconds: number): boolean => seconds >= 0 && seconds < 253_402_300_800;

/** The first line of a text. */
export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
