export { Kernel } from './kernel';
export type { KernelOptions } from './kernel-options';
export { KernelModule } from './kernel.module';
export { lastUsed } from './last-used';
export { fetchText } from './outgoing/fetch-text';
export { JsonLog } from './json-log';
export type { LogLevel } from './log-level';
export { Database } from './database/database';
export { LockTaken, withExclusiveLocks } from './database/exclusive-locks';
export { isCancelled, isCheckViolation, isDatabaseAway, isLockTimeout } from './database/sql-states';
export type { Migration } from './database/migration';
export type { HealthCheck, HealthReport } from './health/health-checks';
export { excludedBy, HealthChecks } from './health/health-checks';
export { DiskFileStore } from './files/disk-file-store';
export type { ByteRange } from './files/file-store';
export type { FolderSize } from './files/file-store';
export { FileStore } from './files/file-store';
export type { FileKind, UnsettledFile } from './files/referenced-files';
export { ReferencedFiles } from './files/referenced-files';
export { FileStoreModule } from './files/file-store.module';
export { EventLog } from './log/event-log';
export type { ResolvedMoment } from './log/moments';
export { Moments } from './log/moments';
export { ALPHANUMERIC, BASE32, LEGIBLE, randomText } from './random-text';
export { keyOfRealm, readSecret } from './log/secrets';
export { StreamSearch } from './log/stream-search';
export type { TypedPage, TypedPageRequest } from './log/typed-pages';
export { TypedPages } from './log/typed-pages';
export type { PastSnapshot } from './past/past';
export { Past } from './past/past';
export { EventRegistry, InvalidEvent, UnknownEventType } from './log/encoding/registry';
export type { StoredEvent } from './log/encoding/registry';
export { Conflict, Overloaded, ShuttingDown } from './log/errors';
export { realmsKnown } from './log/verify/known-positions';
export type { KnownBeside, KnownPosition } from './log/verify/known-positions';
export type { TrailRange, TrailOrder } from './log/trail/candidate-blocks';
export type { TrailEvent, TrailPage } from './log/trail/event-trail';
export { EventTrail } from './log/trail/event-trail';
export type { TrailFilter } from './log/trail/trail-filter';
export { verifyLog } from './log/verify/verify';
export type { VerificationFailure, Verification, VerifyOptions } from './log/verify/verify';
export type { Checkpoint } from './proof/checkpoint';
export { checkpointText, parseCheckpoint } from './proof/checkpoint';
export { LogTree, NoLeaf } from './proof/log-tree';
export type { NoteSignature, SplitNote, Verifier } from './proof/signed-note';
export {
  isKeyName,
  isSignedBy,
  parseVerifier,
  signNote,
  signatureLines,
  splitNote,
  verifierText,
} from './proof/signed-note';
export type { TileCoordinates } from './proof/tiles';
export { MissingTile, TILE_WIDTH, leavesOfHash, widthOf } from './proof/tiles';
export type { ExpectedRoot } from './proof/tree-check';
export type { Guard, SecretChange } from './log/append/append';
export { FactCache } from './facts/fact-cache';
export type { FactDeclaration } from './facts/fact-cache';
export { Memory } from './facts/memory';
export type { KnownChanges, ModelChanges } from './facts/model-changes';
export { UnitOfWork } from './work/unit-of-work';
export type {
  Credentials,
  NamedAccount,
  PresentedKey,
  PresentedSession,
  RealmFront,
  RealmSearch,
  TokenBearer,
} from './work/authenticator';
export { Authenticator, BearerTokens, RealmByHost, RealmFronts, RealmQuotas } from './work/authenticator';
export { Actors, systemActor } from './work/by';
export { pages } from './work/pages';
export { LogSizes, measureLog } from './log/log-sizes';
export type { DeletionCount } from './deletion/realm-deletions';
export { OtherFiles } from './deletion/other-files';
export { RealmDeletions } from './deletion/realm-deletions';
export { PeriodicSweep } from './sweeps/periodic-sweep';
export { RealmUpkeep } from './sweeps/realm-upkeep';
export { OutboxWakeUps } from './outbox/outbox-wake-ups';
export type { DueSearch } from './outbox/due-realms';
export { QueuedSweep } from './outbox/queued-sweep';
export { RealmSweep } from './outbox/realm-sweep';
export { Repeated } from './work/repeated';
export { CoalescedRuns } from './work/coalesced-runs';
export { KeyedLimit } from './work/keyed-limit';
export { inTurns } from './work/in-turns';
export { longWork } from './work/time-slices';
export { Turns } from './work/turns';
export type { By, SystemActor } from './work/by';
export type { Opened, Work } from './work/work';
export { WorkState } from './work/work';
export type { ConflictReason, UndoChange, UndoConflict, UndoRefusal, Undoer, Undone } from './undo/undo';
export {
  CONFLICT_REASONS,
  UNDO_REFUSALS,
  cannotBeUndone,
  eventsOfAppend,
  laterEvents,
  undoChanges,
  undoConflicts,
} from './undo/undo';
export { clearBits, setBits } from './projections/definition/bits';
export { atLeast, defineProjection, increment, on } from './projections/definition/define';
export { containsSql, overlapsSql, rowsOverlapSql } from './projections/definition/spans-sql';
export type { TablePast } from './projections/definition/table-past';
export type { SearchableText } from './projections/definition/define';
export type { Projection, Row, RowChanges } from './projections/definition/define';
export { binaryArray } from './projections/rows/binary-arrays';
export { BackgroundRunner } from './projections/running/background-runner';
export type { CheckpointedReader } from './projections/running/checkpointed-reader';
export type { Lag } from './projections/checkpoints/lags';
export { oldestBehind } from './projections/checkpoints/lags';
export type { BuildProgress } from './projections/rebuild/build';
export { TwoVersionsLive } from './projections/rebuild/build';
export { BuildInProgress } from './projections/rebuild/build-lock';
export type { Difference } from './projections/rebuild/compare';
export { Rebuild } from './projections/rebuild/rebuild';
export { ProjectionStore } from './projections/versions/projection-store';
export type { ProjectionRow } from './projections/versions/projection-store';
export { Queues } from './queues/queues';
export { QueuesUnavailable } from './queues/queues-unavailable';
export type { FailedJob, Job, QueueCounts } from './queues/job';
export type { QueueDeclaration } from './queues/queue-declaration';
export type { QueueFigures, QueueReport } from './queues/queue-figures';
export { AddressGuard } from './outgoing/address-guard';
export type {
  OutgoingAnswer,
  OutgoingFault,
  OutgoingLimits,
  OutgoingRequest,
  OutgoingScope,
} from './outgoing/outgoing-requests';
export { networkOf } from './outgoing/network';
export { OutgoingRefused, OutgoingRequests } from './outgoing/outgoing-requests';
export { migrate } from './past/whole/migrate';
export type { PastOptions } from './past/whole/past';
export { openPastKernel, withPast } from './past/whole/past';
export type { PastProgress } from './past/whole/past-build';
export { PastClock } from './past/whole/past-clock';
export type { PastRow } from './past/whole/pasts';
export { PastInUse, pastRows } from './past/whole/pasts';
export { kernelContext } from './restore/events';
export { Eraser } from './erasure/eraser';
export { Erasures } from './erasure/erasures';
export type { SweptErasures } from './erasure/erasures';
export { LogCopy } from './replay/log-copy';
export type { LogSelection } from './replay/log-selection';
export { isComplete, isOfType, selectedPages } from './replay/log-selection';
export { StorageCleanup } from './erasure/storage-cleanup';
export type { CleanedUp } from './erasure/storage-cleanup';
export { backUp } from './backup/backup';
export type { Manifest } from './backup/manifest';
export { restoreBackup } from './backup/restore';
export { discardStateBeyondLog } from './restore/discard-state';
export type { DiscardedState } from './restore/discard-state';
export { stateRestored } from './restore/state-restored';
export { ClientSignals } from './wake-ups/client-signals';
export type { ClientSignal } from './wake-ups/client-signals';
export { isOutage } from './projections/checkpoints/failures';
export { ALL_SHARES, shareOf } from './wake-ups/notice';
export { WakeUps } from './wake-ups/wake-ups';
export type {
  BlockMemory,
  CurrentBlock,
  RegisterBlock,
  RegisterOptions,
  RegisterSnapshot,
} from './contexts/register-block';
export { describeEvent } from './contexts/event-description';
export type { PropertyChange, EventDescription, Naming, PropertyValue } from './contexts/event-description';
export { counted, listed, possessive, quoted, thing, wordsOf } from './contexts/sentence-parts';
export type { NamedKind, NamedThing, QuotedText, SentencePart } from './contexts/sentence-parts';
export { checkDescriptions, descriptionsOf } from './contexts/descriptions-of';
export { checkContexts, defineContext } from './contexts/define-context';
export type { ContextDefinition } from './contexts/define-context';
export { defineFeed, definePresenter, feedReader, translate } from './contexts/feed-definition';
export type {
  ClientCapabilities,
  Feed,
  FeedReader,
  PositionedClientEvent,
  Presenter,
  QueueProfile,
} from './contexts/feed-definition';
