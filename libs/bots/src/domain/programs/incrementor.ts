import type { MessageId } from '@annals/kernel/domain';
import type { AnsweringProgram } from './program';

/** Counts how often it was asked, in one message that it edits. */
export const incrementor: AnsweringProgram = () => ({ kind: 'count' });

/** What the program remembers in the storage of its bot. */
export interface Counter {
  readonly number: number;
  /** The message that shows the number. Null before the first one. */
  readonly messageId: MessageId | null;
  /** The message that was counted last. */
  readonly counted: MessageId | null;
}

/** The keys of the storage that the program uses. */
export const COUNTER_KEYS = ['number', 'message_id', 'counted'] as const;

/** The counter in the storage of a bot. What is no number there counts as nothing. */
export function storedCounter(stored: ReadonlyMap<string, string>): Counter {
  const [number, messageId, counted] = COUNTER_KEYS.map((key) => wholeNumber(stored.get(key)));
  return {
    number: number ?? 0,
    messageId: (messageId ?? null) as MessageId | null,
    counted: (counted ?? null) as MessageId | null,
  };
}

/** The storage of a bot with this counter. */
export const counterToStore = ({ number, messageId, counted }: Counter): Record<string, string> => ({
  number: String(number),
  message_id: String(messageId),
  counted: String(counted),
});

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
