/**
 * The protocol between the launcher and the processes that it starts. The launcher passes settings in the environment:
 * DATABASE_URL, REDIS_URL (absent: BullMQ on PostgreSQL), HOST, PORT and all ANNALS_* variables. A child reports once
 * over IPC that it serves, or why it cannot start. It ends when the channel closes, because the launcher has ended
 * then. All functions may also run in a process without a launcher.
 */
export type ChildMessage =
  { readonly kind: 'ready'; readonly address?: string } | { readonly kind: 'failed'; readonly message: string };

/**
 * The line of JSON that `cli setup --json` prints. The key is null unless it was created, or was given and is the
 * owner's key.
 */
export interface SetupReport {
  readonly created: boolean;
  readonly realmUrl: string;
  readonly ownerEmail: string;
  readonly apiKey: string | null;
}

/** Time in ms that a child has for an orderly end after its launcher has ended. */
const ORDERLY_END_MS = 10_000;

/**
 * Reports to the launcher that this process serves. An api reports the address that it listens on, as
 * `http://host:port`.
 */
export function reportReady(address?: string): void {
  const message: ChildMessage = address === undefined ? { kind: 'ready' } : { kind: 'ready', address };
  if (process.connected) process.send?.(message);
}

/**
 * Reports in one sentence why this process cannot start: to the launcher, or to standard error without a launcher.
 * Resolves when the sentence is written, so that `process.exit(1)` may follow.
 */
export async function reportFailed(message: string): Promise<void> {
  const said: ChildMessage = { kind: 'failed', message };
  if (!process.connected) return void process.stderr.write(`${message}\n`);
  await new Promise<void>((resolve) => process.send?.(said, undefined, undefined, () => resolve()));
}

/**
 * Runs `shutDown` once when the launcher has ended, or at once if it has ended already. Without a launcher, it never
 * runs. The process exits 10 s later, even if `shutDown` is still running.
 */
export function whenLauncherEnds(shutDown: () => void): void {
  if (!process.send) return;
  const end = () => {
    setTimeout(() => process.exit(1), ORDERLY_END_MS).unref();
    shutDown();
  };
  if (process.connected) process.once('disconnect', end);
  else end();
}

/** Parses a message of a child. Returns undefined for any other message of the channel. */
export function readChildMessage(value: unknown): ChildMessage | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'failed' && 'message' in value && typeof value.message === 'string')
    return { kind: 'failed', message: value.message };
  if (value.kind !== 'ready') return undefined;
  return 'address' in value && typeof value.address === 'string'
    ? { kind: 'ready', address: value.address }
    : { kind: 'ready' };
}
