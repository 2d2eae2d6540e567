import { cutTopic } from '../message/text';

/** The prefix of a resolved topic's name (contract/messages.md section 1). */
export const RESOLVED_PREFIX = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Whether a change of a topic's name only marks it as resolved or as unresolved (contract/messages.md section 1). */
export function togglesResolution(from: string, to: string): boolean {
  if (!isResolved(from)) return to === RESOLVED_PREFIX + from;
  return !isResolved(to) && from.replace(/^[✔ ]+/, '') === to;
}

/** The same for stored names: that of a resolved topic may have been truncated. */
export const toggledResolution = (from: string, to: string): boolean =>
  togglesResolution(from, to) || (!isResolved(from) && to === cutTopic(RESOLVED_PREFIX + from));
