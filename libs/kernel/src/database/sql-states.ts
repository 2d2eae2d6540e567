/** The SQLSTATE of an error of PostgreSQL, or the code of a system error; '' without one. */
export const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const CHECK_VIOLATION = '23514';
const UNDEFINED_TABLE = '42P01';
const DEPENDENT_OBJECTS_EXIST = '2BP01';
const FEATURE_NOT_SUPPORTED = '0A000';
const IDLE_IN_TRANSACTION = '25P03';

/** The server ends, or ended this session: shutdown, crash, start, dropped database, timeout of a session. */
const SESSION_ENDED: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  IDLE_IN_TRANSACTION,
  '25P04',
]);
/** A read-only transaction as on a replica, no resources, a full disk, too many connections, a disk error. */
const WRITES_REFUSED: ReadonlySet<string> = new Set(['25006', '53000', '53100', '53300', '58030']);
const CONNECTION_EXCEPTION = /^08...$/;

/** Errors of the driver without a code, when a connection ends or none is free. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Client (?:was closed|has encountered a)|timeout exceeded|Query read timeout)/;

/** Another transaction held a lock for longer than the statement may wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;
/** The same, or the transactions waited for each other. */
export const isLockTimeoutOrDeadlock = (error: unknown): boolean => isLockTimeout(error) || codeOf(error) === DEADLOCK;
/** The transaction conflicted with another one. It may succeed if it is repeated. */
export const isConflict = (error: unknown): boolean => [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error));
/** The statement exceeded its time limit. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED;
/** The process was frozen for too long in a transaction. */
export const isIdleInTransaction = (error: unknown): boolean => codeOf(error) === IDLE_IN_TRANSACTION;
/** The table does not exist, for example because its read model was dropped meanwhile. */
export const isUndefinedTable = (error: unknown): boolean => codeOf(error) === UNDEFINED_TABLE;
/** A view needs what a statement changes or drops. */
export const isDependedOn = (error: unknown): boolean =>
  [DEPENDENT_OBJECTS_EXIST, FEATURE_NOT_SUPPORTED].includes(codeOf(error));
export const isCheckViolation = (error: unknown): boolean => codeOf(error) === CHECK_VIOLATION;

/** The session or its connection has ended. The result of the statement is unknown. */
export const isSessionEnded = (error: unknown): boolean =>
  SESSION_ENDED.has(codeOf(error)) || CONNECTION_EXCEPTION.test(codeOf(error));

/** The database takes no writes at present, from any client. */
export const refusesWrites = (error: unknown): boolean => WRITES_REFUSED.has(codeOf(error));

/** The driver lost its connection and has no code for it. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && CONNECTION_LOST.test(error.message);

/** The database cannot be reached, or takes no writes. The same request may succeed later. */
export const isDatabaseAway = (error: unknown): boolean =>
  isSessionEnded(error) || refusesWrites(error) || isConnectionLost(error);
