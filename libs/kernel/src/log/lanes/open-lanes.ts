import type { KernelOptions } from '../../kernel-options';
import type { Projection } from '../../projections/definition/define';
import type { LaneOptions } from './lane-options';
import { Lanes } from './lanes';

/** What the lanes of a kernel need beside its options. */
export interface LaneParts extends Pick<
  LaneOptions,
  'registry' | 'tables' | 'models' | 'keepUp' | 'history' | 'onCommitted'
> {
  /** All read models. */
  readonly projections: readonly Projection[];
}

/** The lanes of a kernel, as its options want them. */
export function openLanes(options: KernelOptions, { projections, ...parts }: LaneParts): Lanes {
  return new Lanes(options.lanes ?? 1, {
    ...parts,
    connectionString: options.databaseUrl,
    inline: projections.filter((projection) => projection.lifecycle === 'inline'),
    log: options.log,
    ...(options.step ? { step: options.step } : {}),
    ...(options.statementTimeoutMs === undefined ? {} : { statementTimeoutMs: options.statementTimeoutMs }),
  });
}
