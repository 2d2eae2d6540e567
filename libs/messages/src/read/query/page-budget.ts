import type { MessageId } from '@annals/kernel/domain';
import type { Change } from '../content/changes';
import type { LoadedMessages } from '../content/message-row';
import { sourceOf } from '../content/present-message';

/** Bytes that the texts of one answer are together at most, as they are written there. */
export const MAX_BYTES = 8_000_000;
/** The same as they were typed, for what is read of the log. */
export const MAX_TYPED_BYTES = 2_500_000;

/** How messages are asked for. */
export interface Wanted {
  /** Whose texts are rendered in turn with those of others. */
  readonly asker: string;
  /** Their texts are written as HTML. */
  readonly asHtml: boolean;
}

/** Bytes of a message's text as it is answered; it is rendered for that. */
export async function bytesOf(id: MessageId, { rows, rendered }: LoadedMessages, wanted: Wanted): Promise<number> {
  const row = rows.get(id);
  if (!row) return 0;
  return Buffer.byteLength(wanted.asHtml ? await rendered.ahead(row.text, wanted.asker) : sourceOf(row.text));
}

/** Messages next to each other, and the room that an answer has left beside them. */
export interface Fitting {
  readonly ids: readonly MessageId[];
  readonly room: number;
}

/**
 * Those around an anchor that fit into one answer, at least one where there is any; without a gap.
 *
 * @param sizeOf of one message; null where the answer has to end before it
 */
export async function fittingAround(
  ids: readonly MessageId[],
  anchor: number,
  room: number,
  sizeOf: (id: MessageId) => Promise<number | null> | number | null,
): Promise<Fitting> {
  const beyond = ids.findIndex((id) => id >= anchor);
  let [start, end] = Array.from({ length: 2 }, () => (beyond < 0 ? ids.length : beyond)) as [number, number];
  let left = room;
  for (let turn = 0; start > 0 || end < ids.length; turn++) {
    const takesLater = start === 0 || (end < ids.length && turn % 2 === 0);
    const size = await sizeOf(ids[takesLater ? end : start - 1] as MessageId);
    if (start < end && (size === null || size > left)) break;
    left -= size ?? 0;
    if (takesLater) end += 1;
    else start -= 1;
  }
  return { ids: ids.slice(start, end), room: left };
}

/**
 * The messages with as many of their changes as there is room for: the newest messages tell first, of each the latest.
 * What is told is rendered.
 */
export async function withFittingChanges(
  loaded: LoadedMessages,
  { ids, room }: Fitting,
  { asker }: Wanted,
): Promise<LoadedMessages> {
  const changes = new Map<MessageId, readonly Change[]>();
  let left = room;
  for (const id of [...ids].sort((a, b) => b - a)) {
    const told: Change[] = [];
    for (const change of loaded.changes.get(id) ?? []) {
      left -= loaded.rendered.isSpent ? Infinity : await oldBytes(change, loaded, asker);
      if (left < 0) break;
      told.push(change);
    }
    if (told.length > 0) changes.set(id, told);
  }
  return { ...loaded, changes };
}

async function oldBytes({ edit }: Change, { rendered }: LoadedMessages, asker: string): Promise<number> {
  if (!edit) return 0;
  return Buffer.byteLength(sourceOf(edit.previous)) + Buffer.byteLength(await rendered.ahead(edit.previous, asker));
}
