/** What the name of a resolved topic begins with (contract/messages.md section 1). */
export const RESOLVED_PREFIX = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Whether a change of a topic's name only says that it is resolved, or no longer is (contract/messages.md section 1). */
export function togglesResolution(from: string, to: string): boolean {
  if (!isResolved(from)) return to === RESOLVED_PREFIX + from;
  return !isResolved(to) && from.replace(/^[✔ ]+/, '') === to;
}
