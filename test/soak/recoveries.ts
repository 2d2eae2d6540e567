import type { Acknowledged } from './writer';
import type { Received } from './listener';
import type { Trouble } from './findings';

/** How long the silence after a fault's end may last, in ms. */
const AFTERWARDS_MS = 3_000;

/** A fault that was made. */
export interface Made extends Trouble {
  readonly kind: string;
}

/** How long it took after a fault until all were served again, in ms; null where the soak ended before. */
export interface Recovery {
  readonly kind: string;
  readonly tookMs: number;
  /** Until something was acknowledged to each writer. */
  readonly acknowledgedMs: number | null;
  /** Until each listener received the first text that was acknowledged after the fault, from its acknowledgement on. */
  readonly deliveredMs: number | null;
  /** The longest time from its beginning to a little after its end in which a listener was handed nothing. */
  readonly silenceMs: number;
}

/**
 * @param writers what was acknowledged to each of them
 * @param listeners what each of them received
 * @param positionOf where a text is in the log
 */
export function recoveriesOf(
  faults: readonly Made[],
  writers: readonly (readonly Acknowledged[])[],
  listeners: readonly (readonly Received[])[],
  positionOf: ReadonlyMap<string, number>,
): Recovery[] {
  return faults.map(({ kind, from, until }) => {
    const next = writers.map((acknowledged) => acknowledged.find(({ at }) => at >= until));
    const [first] = next.flatMap((one) => one ?? []).sort((a, b) => a.at - b.at);
    const position = first && positionOf.get(first.text);
    const handed = listeners.map((received) =>
      position === undefined ? undefined : received.find((one) => one.position >= position),
    );
    return {
      kind,
      tookMs: until - from,
      acknowledgedMs: slowest(next, until),
      deliveredMs: first ? slowest(handed, first.at) : null,
      silenceMs: Math.max(...listeners.map((received) => silenceIn(received, from, until + AFTERWARDS_MS))),
    };
  });
}

/** The longest time between two deliveries that one of them, or the time between them, is in a span for. */
function silenceIn(received: readonly Received[], from: number, until: number): number {
  let longest = 0;
  received.forEach(({ at }, n) => {
    const before = received[n - 1]?.at ?? at;
    if (at >= from && before <= until) longest = Math.max(longest, at - before);
  });
  return longest;
}

function slowest(moments: readonly ({ readonly at: number } | undefined)[], since: number): number | null {
  const times = moments.map((moment) => (moment ? Math.max(0, moment.at - since) : Infinity));
  const last = Math.max(...times);
  return Number.isFinite(last) ? last : null;
}

/** The recoveries by kind of fault, as a table in Markdown. */
export function tableOf(recoveries: readonly Recovery[]): string {
  const kinds = [...new Set(recoveries.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const of = recoveries.filter((recovery) => recovery.kind === kind);
    const figures = (['tookMs', 'silenceMs', 'acknowledgedMs', 'deliveredMs'] as const).map((figure) =>
      spread(of.flatMap((recovery) => recovery[figure] ?? [])),
    );
    return `| ${[kind, of.length, ...figures].join(' | ')} |`;
  });
  const head = '| Fault, ms | Times | Lasted | Longest silence | Next acknowledged | Next delivered |';
  return [head, '| --- | --: | --: | --: | --: | --: |', ...rows].join('\n');
}

/** The middle and the greatest. */
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b).map(Math.round);
  return sorted.length === 0 ? '-' : `${sorted[sorted.length >> 1]} (${sorted.at(-1)})`;
}
