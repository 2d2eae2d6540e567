import type { Logger } from 'pino';
import type { RealmId, Recorded } from '../../domain/index';
import type { Projection } from '../../projections/definition/define';
import type { History } from '../../restore/history';
import type { KeepUp } from '../../projections/inline/keep-up';
import type { LiveModels } from '../../projections/inline/live-models';
import type { ViewTables } from '../../projections/definition/view-tables';
import type { EventRegistry } from '../encoding/registry';

export interface LaneOptions {
  readonly connectionString: string;
  readonly registry: EventRegistry;
  /** The inline projections this code knows; they commit with their events. */
  readonly inline: readonly Projection[];
  /** Whether they are live, and how they are brought up to the head if another version is live beside them. */
  readonly models: Pick<LiveModels, 'alone' | 'now' | 'note'>;
  readonly keepUp: Pick<KeepUp, 'reachIn'>;
  /** The read models for guards. */
  readonly tables: ViewTables;
  /** The installation that this process began with. Nothing is written to another one. */
  readonly history: Pick<History, 'installation' | 'ensureSame'>;
  readonly log: Logger;
  /** Runs after a commit and before the callers get the result, in order per realm. */
  readonly onCommitted: (realmId: RealmId, events: readonly Recorded[]) => void;
  /** A statement of a batch that takes longer is cancelled, and its append refused. In ms. 30 seconds when left out. */
  readonly statementTimeoutMs?: number;
  /** For fault tests: runs with the name of each step of a batch before the step. */
  readonly step?: (name: LaneStep) => Promise<void> | void;
}

export type LaneStep = 'begin' | 'locked' | 'write' | 'commit' | 'committed';
