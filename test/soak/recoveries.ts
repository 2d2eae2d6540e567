import type { Acknowledged } from './writer';
import type { Received } from './listener';
import type { Trouble } from './findings';

/** A fault that was made. */
export interface Made extends Trouble {
  readonly kind: string;
}

/** How long it took after a fault until all writers and all listeners were served again, in ms; null where nobody was. */
export interface Recovery {
  readonly kind: string;
  readonly tookMs: number;
  readonly acknowledgedMs: number | null;
  readonly deliveredMs: number | null;
}

interface Moment {
  readonly at: number;
}

/**
 * @param writers what was acknowledged to each of them
 * @param listeners what was handed to each of them
 */
export function recoveriesOf(
  faults: readonly Made[],
  writers: readonly (readonly Acknowledged[])[],
  listeners: readonly (readonly Received[])[],
): Recovery[] {
  return faults.map(({ kind, from, until }) => ({
    kind,
    tookMs: until - from,
    acknowledgedMs: slowest(writers, until),
    deliveredMs: slowest(listeners, until),
  }));
}

/** Until the last of them had something happen to it after a moment. */
function slowest(all: readonly (readonly Moment[])[], since: number): number | null {
  let slowest: number | null = null;
  for (const one of all) {
    const next = one.find(({ at }) => at >= since);
    if (next) slowest = Math.max(slowest ?? 0, next.at - since);
  }
  return slowest;
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
