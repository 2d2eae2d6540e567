import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { Noted } from '../../libs/kernel/src/spec-support/toy-context';
import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { note } from '../../libs/kernel/src/spec-support/toy-context';
import { realm, system } from '../../libs/kernel/src/spec-support/toy-kernel';
import type { Said } from './programs/raiser';

export interface Acknowledged {
  readonly text: string;
  readonly position: number;
}

/** Writes a note with this text. */
export async function write(kernel: Kernel, text: string): Promise<Acknowledged> {
  const opened = await kernel.work.run(system(), async (work) => work.open('note', note(text)));
  return { text, position: opened.id };
}

/**
 * The state after every fault: all acknowledged events, once, without a gap, and a read model that agrees.
 *
 * @returns the number of events
 */
export async function expectWhole(toy: ToyKernel, acknowledged: readonly Acknowledged[]): Promise<number> {
  // Connections that a fault cut may not have noticed it yet. A new pool has no such connection.
  const kernel = await toy.another();
  const events = (await kernel.events.page(realm, 0, 1_000_000)) as unknown as Recorded<Noted>[];
  expect(events.map((event) => event.position)).toEqual(events.map((_, index) => index + 1));
  const texts = new Map(
    events.map((event) => [event.position as number, event.sealed === 'erased' ? '' : event.sealed.text]),
  );
  expect(new Set(texts.values()).size).toBe(texts.size);
  for (const { text, position } of acknowledged) expect(texts.get(position)).toBe(text);
  const { rows } = await kernel.database.pool.query<{ note_id: number; text: string }>(
    'SELECT note_id, text FROM view.toy_notes WHERE realm_id = 1',
  );
  expect(new Map(rows.map((row) => [row.note_id, row.text]))).toEqual(texts);
  expect((await kernel.events.heads([realm])).get(realm)).toBe(events.length);
  return events.length;
}

/** A process that appends notes without end, see its program. */
export function startAppender(url: string, writer: string, step = '-', passes = 0) {
  const acknowledged: Acknowledged[] = [];
  const child = start('appender.ts', [url, writer, step, String(passes)]);
  child.on('message', (message) => acknowledged.push(message as Acknowledged));
  const ended = once(child, 'exit');
  return { child, acknowledged, ended, acknowledgedAtLeast: atLeast(child, ended, acknowledged) };
}

/** A process that raises a counter from `go` to `stop`, see its program. */
export async function startRaiser(url: string) {
  const child = start('raiser.ts', [url]);
  /** For each acknowledged raise: how often it was decided. */
  const acknowledged: number[] = [];
  const ended = once(child, 'exit');
  await once(child, 'message');
  child.on('message', (report: Exclude<Said, 'ready'>) => acknowledged.push(report.decisions));
  return {
    child,
    acknowledged,
    acknowledgedAtLeast: atLeast(child, ended, acknowledged),
    ended,
    go: () => child.send('go'),
    stop: () => child.send('stop'),
  };
}

/** Waits until a process has reported so many. */
const atLeast =
  (child: ChildProcess, ended: Promise<unknown>, received: readonly unknown[]) => async (count: number) => {
    while (received.length < count) {
      if (child.exitCode !== null)
        throw new Error(`The process ended after it received ${received.length} of ${count}`);
      await Promise.race([once(child, 'message'), ended]);
    }
  };

const start = (program: string, args: readonly string[]) =>
  fork(join(__dirname, 'programs', program), args, {
    execArgv: ['-r', require.resolve('../support/typescript.cjs')],
  });
