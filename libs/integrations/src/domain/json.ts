import type { Integration } from './integration';

const BACKTICKS = /`{3,}/g;

/** A code block that the text cannot end. */
function codeBlock(text: string): string {
  const longest = [...text.matchAll(BACKTICKS)].reduce((length, [run]) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

/** Shows any JSON, for senders that have no integration of their own. */
export const json: Integration = {
  name: 'json',
  displayName: 'JSON formatter',
  caller: 'JSON',
  eventTypes: null,
  options: [],
  translate: ({ payload }) => [{ topic: 'JSON', content: codeBlock(JSON.stringify(payload, null, 2)) }],
};
