import { clearLine, cursorTo } from 'node:readline';
import { Presets, SingleBar } from 'cli-progress';

/** Nothing is shown for what is done sooner, in ms. */
const PATIENCE_MS = 1_000;

/** Where progress is shown: standard error, if it is a terminal. */
export interface Watched {
  readonly stream: NodeJS.WriteStream;
  /** Time in ms, from anywhere. */
  readonly now: () => number;
}

export interface Progress {
  /** @param doing the name of the work, beside the figures */
  update(done: number, total: number, doing?: string): void;
  stop(): void;
}

const watched: Watched = { stream: process.stderr, now: () => performance.now() };

/** A progress bar on standard error for work that takes longer than a second. None without a terminal. */
export function progress(what: string, { stream, now }: Watched = watched): Progress {
  const started = now();
  const format = `${what} [{bar}] {percentage}% | {value}/{total} | {eta_formatted} {doing}`;
  const bar = new SingleBar({ format, stream, hideCursor: true }, Presets.shades_classic);
  let shown = false;
  return {
    update(done, total, doing = '') {
      if (!stream.isTTY || now() - started < PATIENCE_MS) return;
      if (!shown) bar.start(total, done, { doing });
      shown = true;
      bar.setTotal(total);
      bar.update(done, { doing });
    },
    stop() {
      if (shown) bar.stop();
    },
  };
}

/** Names the work on a terminal while it takes longer than a second and has no known progress. */
export async function busy<T>(what: string, work: () => Promise<T>, { stream }: Watched = watched): Promise<T> {
  let shown = false;
  const timer = setTimeout(() => {
    if (!stream.isTTY) return;
    stream.write(`${what} …`);
    shown = true;
  }, PATIENCE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (shown) {
      clearLine(stream, 0);
      cursorTo(stream, 0);
    }
  }
}
