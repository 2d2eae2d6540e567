/** An event as a client receives it, with its id. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: number };

interface FlagEvent extends WireEvent {
  readonly op: string;
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
}

/**
 * Merges runs of flag events that differ only in their messages. Their lists are joined in the newest one, in its place
 * and with its id (contract/realtime.md section 1, compression). Events that mark everything, and events that make
 * messages unread (with details of each message), are not merged. An opposite change of the same flag in between ends a
 * run, since a client must see those in order.
 */
export function mergeFlagEvents(events: readonly WireEvent[]): readonly WireEvent[] {
  const merged: (WireEvent | null)[] = [...events];
  const runs = new Map<string, number>();
  let changed = false;
  merged.forEach((event, index) => {
    if (!event || !isFlagEvent(event)) return;
    const before = runs.get(event.flag);
    const earlier = before === undefined ? null : (merged[before] as FlagEvent);
    runs.set(event.flag, index);
    if (before === undefined || !earlier || !canMerge(earlier, event)) return;
    merged[before] = null;
    merged[index] = { ...event, messages: [...earlier.messages, ...event.messages] };
    changed = true;
  });
  return changed ? merged.filter((event) => event !== null) : events;
}

const isFlagEvent = (event: WireEvent): event is FlagEvent => event.type === 'update_message_flags';

const canMerge = (earlier: FlagEvent, later: FlagEvent): boolean =>
  earlier.op === later.op && !earlier.all && !later.all && !(later.op === 'remove' && later.flag === 'read');
