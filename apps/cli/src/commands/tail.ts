import type { Kernel } from '@annals/kernel';
import { ALL_SHARES, shareOf } from '@annals/kernel';
import type { Position, RealmId, Recorded } from '@annals/kernel/domain';

export interface TailOptions {
  /** Only this realm. */
  readonly realm?: number | undefined;
  /** Begin after this position; left out: at the head. */
  readonly after?: number | undefined;
  /** Show what people wrote too. */
  readonly words: boolean;
  /** End instead of waiting for more. */
  readonly once: boolean;
}

const PAGE = 500;
/** Interval in ms at which the heads are read, also without wake-ups. */
const LOOK_MS = 1_000;

/**
 * `annals tail`: the log as it grows, one JSON object a line, until the signal.
 *
 * @throws Error when there is no such realm
 */
export async function tail(
  kernel: Kernel,
  options: TailOptions,
  write: (line: string) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const positions = new Map<RealmId, Position>();
  const wanted = (realmId: RealmId) => options.realm === undefined || realmId === options.realm;
  const start = await kernel.events.heads();
  if (options.realm !== undefined && !start.has(options.realm as RealmId)) {
    throw new Error(`There is no realm ${options.realm}.`);
  }
  for (const [realmId, head] of start) positions.set(realmId, (options.after ?? head) as Position);
  const bell = new Bell();
  const shares = options.realm === undefined ? ALL_SHARES : [shareOf(options.realm as RealmId)];
  const subscriptions = shares.map((share) => kernel.wakeUps.subscribe('log', share, () => bell.ring()));
  signal.addEventListener('abort', () => bell.ring(), { once: true });
  try {
    for (;;) {
      for (const [realmId, head] of await kernel.events.heads()) {
        if (wanted(realmId)) await follow(realmId, head);
      }
      if (options.once || signal.aborted) return;
      await bell.wait(LOOK_MS);
      if (signal.aborted) return;
    }
  } finally {
    for (const end of subscriptions) end();
  }

  async function follow(realmId: RealmId, head: Position): Promise<void> {
    let position = positions.get(realmId) ?? (0 as Position);
    while (position < head && !signal.aborted) {
      const page = await kernel.events.page(realmId, position, PAGE);
      for (const event of page) await write(JSON.stringify(presented(event, options.words)));
      position = page.at(-1)?.position ?? head;
      positions.set(realmId, position);
    }
  }
}

function presented(event: Recorded, words: boolean): object {
  const { sealed, ...rest } = event;
  return { ...rest, at: new Date(event.at).toISOString(), ...(words ? { sealed } : {}) };
}

/** Lets one waiter sleep until it is rung or a time is over. */
class Bell {
  private waiter: (() => void) | null = null;
  private rung = false;

  ring(): void {
    this.rung = true;
    this.waiter?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.waiter = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.waiter = null;
    this.rung = false;
  }
}
