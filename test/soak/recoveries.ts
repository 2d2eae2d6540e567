import type { Acknowledged } from './writer';
import type { Received } from './listener';
import type { Trouble } from './findings';

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
  /** Until each listener was handed the first text that was acknowledged after the fault, from its acknowledgement on. */
  readonly deliveredMs: number | null;
}

/**
 * @param writers what was acknowledged to each of them
 * @param listeners what was handed to each of them
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
    };
  });
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
    const [took, acknowledged, delivered] = (['tookMs', 'acknowledgedMs', 'deliveredMs'] as const).map((figure) =>
      spread(of.flatMap((recovery) => recovery[figure] ?? [])),
    );
    return `| ${kind} | ${of.length} | ${took} | ${acknowledged} | ${delivered} |`;
  });
  const head = '| Fault | Times | Lasted, ms | Next acknowledged, ms | Next delivered, ms |';
  return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** The middle and the greatest. */
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b).map(Math.round);
  return sorted.length === 0 ? '-' : `${sorted[sorted.length >> 1]} (${sorted.at(-1)})`;
}
