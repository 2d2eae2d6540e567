export { Kernel } from './kernel';
export type { KernelOptions } from './kernel';
export { KernelModule } from './kernel.module';
export { lastUsed } from './last-used';
export { JsonLog } from './json-log';
export type { LogLevel } from './log-level';
export { Database } from './database/database';
export type { Migration } from './database/migration';
export type { HealthCheck, HealthReport } from './health/health-checks';
export { excludedBy, HealthChecks } from './health/health-checks';
export { DiskFileStore } from './files/disk-file-store';
export type { ByteRange } from './files/file-store';
export { FileStore } from './files/file-store';
export type { KindOfBytes, Unsettled } from './files/kept-bytes';
export { KeptBytes } from './files/kept-bytes';
export { FileStoreModule } from './files/file-store.module';
export { EventLog } from './log/event-log';
export { EventRegistry, InvalidEvent } from './log/registry';
export type { StoredEvent } from './log/registry';
export { Conflict, Overloaded } from './log/errors';
export { realmsKnown } from './log/known-positions';
export type { KnownBeside, KnownPosition } from './log/known-positions';
export { verifyLog } from './log/verify';
export type { Flaw, Verification } from './log/verify';
export type { Guard, SecretChange } from './log/append';
export { FactCache } from './facts/fact-cache';
export type { FactDeclaration } from './facts/fact-cache';
export { Memory } from './facts/memory';
export { UnitOfWork } from './work/unit-of-work';
export type { Credentials, NamedAccount } from './work/authenticator';
export { Authenticator, RealmByHost } from './work/authenticator';
export { Actors, systemActor } from './work/by';
export { pages } from './work/pages';
export { Repeated } from './work/repeated';
export { Rounds } from './work/rounds';
export { longWork } from './work/time-slices';
export type { By, SystemActor } from './work/by';
export type { Opened, Work } from './work/work';
export { atLeast, defineProjection, increment, on } from './projections/define';
export type { Projection, Row, RowChanges } from './projections/define';
export { binaryArray } from './projections/binary-arrays';
export { BackgroundRunner } from './projections/background-runner';
export type { CheckpointedReader } from './projections/checkpointed-reader';
export type { Lag } from './projections/lags';
export { oldestBehind } from './projections/lags';
export type { BuildProgress } from './projections/build';
export type { Difference } from './projections/compare';
export { Rebuild } from './projections/rebuild';
export { ProjectionStore } from './projections/projection-store';
export type { ProjectionRow } from './projections/projection-store';
export { Queues, QueuesUnavailable } from './queues/queues';
export type { FailedJob, Job, QueueCounts } from './queues/job';
export type { QueueDeclaration } from './queues/queue-declaration';
export type { QueueFigures, QueueReport } from './queues/queue-figures';
export { kernelContext } from './restore/events';
export { Eraser } from './erasure/eraser';
export { Erasures } from './erasure/erasures';
export type { Swept } from './erasure/erasures';
export { letGoOfWhatIsGone } from './restore/let-go';
export type { LetGo } from './restore/let-go';
export { stateRestored } from './restore/state-restored';
export { ClientSignals } from './wake-ups/client-signals';
export type { ClientSignal } from './wake-ups/client-signals';
export { isTransient } from './projections/failures';
export { WakeUps } from './wake-ups/wake-ups';
export type { BlockMemory, RegisterBlock, RegisterOptions, RegisterSnapshot } from './contexts/register-block';
export { checkContexts, defineContext } from './contexts/define-context';
export type { ContextDefinition } from './contexts/define-context';
export { defineFeed, definePresenter, feedReader, translate } from './contexts/feed-definition';
export type {
  ClientCapabilities,
  Feed,
  FeedReader,
  PlacedClientEvent,
  Presenter,
  QueueProfile,
} from './contexts/feed-definition';
