import { Presets, SingleBar } from 'cli-progress';

/** Nothing is shown for what is done sooner, in ms. */
const PATIENCE_MS = 1_000;

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on standard error for what takes longer than a second; none where nobody watches. */
export function progress(what: string, { tty = process.stderr.isTTY, now = () => performance.now() } = {}): Progress {
  const started = now();
  const bar = new SingleBar(
    {
      format: `${what} [{bar}] {percentage}% | {value}/{total} | {eta_formatted}`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let shown = false;
  return {
    update(done, total) {
      if (!tty || now() - started < PATIENCE_MS) return;
      if (!shown) bar.start(total, done);
      shown = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      if (shown) bar.stop();
    },
  };
}
