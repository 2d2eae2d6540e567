import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Kernel, LogSelection } from '@annals/kernel';
import { isComplete, selectedPages } from '@annals/kernel';
import { contentAuditor } from '@annals/audit';
import type { Settings } from '../../../shared/src/settings';
import { progress } from '../progress';
import { readZuliprc } from './auditor-key';
import { DatabaseTarget } from './database-target';
import { FileTarget } from './file-target';
import type { NamedPart } from './selection';
import { selectionOf } from './selection';
import { OutputTarget } from './output-target';
import type { Speed } from './pace';
import { Pace } from './pace';
import type { ReplayTarget } from './replay-target';
import { ServerTarget } from './server-target';

export interface ReplayOptions extends NamedPart {
  readonly into: string;
  readonly speed: Speed;
  readonly resume: boolean;
  /** A zuliprc of an account that may read what people wrote. */
  readonly words: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The operator's terminal, as far as a replay uses it. */
export interface ReplayEnvironment {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly print: (line: string) => void;
  readonly line: (line: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * `annals replay`: writes the log again, in order, into a file, an empty database, a server or standard output.
 *
 * @returns 0, or 1 when it was stopped before the end
 * @throws Error in one sentence when the options contradict each other, or the target cannot be written
 */
export async function replay(options: ReplayOptions, environment: ReplayEnvironment): Promise<number> {
  const { kernel, signal } = environment;
  const selection = await selectionOf(kernel, options);
  if (options.words !== null) await contentAuditor(kernel, selection.realmId, await readZuliprc(options.words));
  const target = targetOf(options, selection, environment);
  const bar = progress('replay');
  try {
    const after = await target.open(options.resume, selection.after);
    const pace = new Pace(
      options.speed,
      () => performance.now(),
      (ms) => sleep(ms, signal),
    );
    let count = 0;
    for await (const { events, position } of selectedPages(kernel.events, { ...selection, after })) {
      for (const due of pace.isTimed ? events.map((event) => [event]) : [events]) {
        if (due[0]) await pace.until(due[0].at);
        if (signal.aborted) break;
        await target.write(due);
        count += due.length;
      }
      if (signal.aborted) return stoppedAt(options, environment);
      await target.reached(position);
      bar.update(position - after, selection.upTo - after);
    }
    bar.stop();
    const done = await target.complete();
    if (options.into !== '-') for (const text of [`${count} events were written`, ...done]) environment.print(text);
    return 0;
  } finally {
    bar.stop();
    await target.close();
  }
}

function stoppedAt({ into }: ReplayOptions, { print }: ReplayEnvironment): number {
  if (into !== '-') print('Stopped. Continue with --resume.');
  return 1;
}

function targetOf(options: ReplayOptions, selection: LogSelection, environment: ReplayEnvironment): ReplayTarget {
  const { into, words, headers } = options;
  const withWords = words !== null;
  const { kernel, settings, line, signal } = environment;
  if (into === '-') return new OutputTarget(line, withWords);
  if (/^postgres(ql)?:\/\//.test(into)) {
    if (!isComplete(selection)) throw new Error('A database takes the whole log: leave out --types and --subject.');
    return new DatabaseTarget(into, selection.realmId, kernel, settings, withWords);
  }
  if (/^https?:\/\//.test(into)) {
    const { upTo: _upTo, ...part } = selection;
    const id = createHash('sha256')
      .update(JSON.stringify([into, part, withWords]))
      .digest('hex')
      .slice(0, 16);
    const state = join(settings.ANNALS_DATA_DIR, 'replays', `${id}.json`);
    return new ServerTarget({ url: into, headers, state, withWords, sleep: (ms) => sleep(ms, signal) });
  }
  return new FileTarget(into, withWords);
}

/** Waits so many ms, or until the replay is stopped. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
