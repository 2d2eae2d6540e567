/**
 * What the launcher and the processes it starts say to each other. The launcher gives a child its settings by
 * environment: DATABASE_URL, REDIS_URL (absent: BullMQ on PostgreSQL), HOST, PORT and everything ANNALS_*. The child
 * says once over IPC that it serves, or why it cannot; and it ends when the channel closes, as then the launcher has
 * ended, in whatever way. Each function does nothing harmful in a process that was started without a launcher.
 */
export type ChildMessage =
  { readonly kind: 'ready'; readonly address?: string } | { readonly kind: 'failed'; readonly message: string };

/** The one line of JSON that `cli setup --json` prints. The key is null unless it was made, or given and is the owner's. */
export interface SetupReport {
  readonly created: boolean;
  readonly realmUrl: string;
  readonly ownerEmail: string;
  readonly apiKey: string | null;
}

/** How long a child may take to end in order after its launcher has. */
const ORDERLY_END_MS = 10_000;

/** Tells the launcher that this process serves; api names the address it listens on, as `http://host:port`. */
export function reportReady(address?: string): void {
  const message: ChildMessage = address === undefined ? { kind: 'ready' } : { kind: 'ready', address };
  if (process.connected) process.send?.(message);
}

/**
 * Tells the launcher, or standard error without one, in one sentence why this process cannot start. Resolves when
 * the sentence is out, so that `process.exit(1)` may follow.
 */
export async function reportFailed(message: string): Promise<void> {
  const said: ChildMessage = { kind: 'failed', message };
  if (!process.connected) return void process.stderr.write(`${message}\n`);
  await new Promise<void>((resolve) => process.send?.(said, undefined, undefined, () => resolve()));
}

/**
 * Calls `shutDown` once when the launcher has ended, at once if it has already; never without a launcher. The process
 * is over ten seconds later, however far `shutDown` has come.
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

/** A message of a child, `undefined` for anything else that came over the channel. */
export function readChildMessage(value: unknown): ChildMessage | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'failed' && 'message' in value && typeof value.message === 'string')
    return { kind: 'failed', message: value.message };
  if (value.kind !== 'ready') return undefined;
  return 'address' in value && typeof value.address === 'string'
    ? { kind: 'ready', address: value.address }
    : { kind: 'ready' };
}
