import { cutTopic } from './message/text';

/** What the name of a resolved topic begins with (contract/messages.md section 1). */
export const RESOLVED_PREFIX = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Whether a change of a topic's name only says that it is resolved, or no longer is (contract/messages.md section 1). */
export function togglesResolution(from: string, to: string): boolean {
  if (!isResolved(from)) return to === RESOLVED_PREFIX + from;
  return !isResolved(to) && from.replace(/^[✔ ]+/, '') === to;
}

/** The same of names as they were stored: that of a resolved topic may have been cut. */
export const toggledResolution = (from: string, to: string): boolean =>
  togglesResolution(from, to) || (!isResolved(from) && to === cutTopic(RESOLVED_PREFIX + from));
