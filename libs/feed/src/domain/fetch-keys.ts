/** Which parts of the state a client fetches, in the words of contract/realtime.md section 2.2. */
export interface Fetched {
  readonly eventTypes: readonly string[] | null;
  readonly fetchEventTypes: readonly string[] | null;
}

/** Other spellings of a fetch key. */
const SYNONYMS: Readonly<Record<string, string>> = { devices: 'device' };

/**
 * Answers for each fetch key whether its block is wanted. Unknown names are ignored. `fetch_event_types` alone decides
 * if it is present, else `event_types`. Without both everything is fetched.
 */
export function fetchedKeys({ eventTypes, fetchEventTypes }: Fetched): (key: string) => boolean {
  const names = fetchEventTypes ?? eventTypes;
  if (names === null) return () => true;
  const wanted = new Set(names.map((name) => SYNONYMS[name] ?? name));
  const hasUnread = wanted.has('message') && wanted.has('update_message_flags');
  return (key) => {
    if (key === 'unread_msgs') return hasUnread;
    if (key === 'muted_topics' && wanted.has('user_topic')) return false;
    return wanted.has(key);
  };
}

/**
 * Whether a queue receives events of this type. A queue that names `user_topic` never receives `muted_topics`
 * (contract/realtime.md section 2.2).
 *
 * @param eventTypes null for a queue without a filter
 */
export function wantsType(eventTypes: ReadonlySet<string> | null, type: string): boolean {
  if (eventTypes === null) return true;
  if (type === 'muted_topics' && eventTypes.has('user_topic')) return false;
  return eventTypes.has(type);
}
