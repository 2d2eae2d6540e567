import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { Noted } from '../../libs/kernel/src/spec-support/toy-context';
import { realm } from '../../libs/kernel/src/spec-support/toy-kernel';
import type { Said } from './programs/raiser';

export interface Acknowledged {
  readonly text: string;
  readonly position: number;
}

/** What every fault must leave behind: all that was acknowledged, once, without a gap, and a read model that agrees. */
export async function expectWhole(kernel: Kernel, acknowledged: readonly Acknowledged[]): Promise<void> {
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
}

/** A process that appends notes without end, see its program. */
export function startAppender(url: string, writer: string, step = '-', passes = 0) {
  const acknowledged: Acknowledged[] = [];
  const child = start('appender.ts', [url, writer, step, String(passes)]);
  child.on('message', (message) => acknowledged.push(message as Acknowledged));
  const ended = once(child, 'exit');
  const acknowledgedAtLeast = async (count: number) => {
    while (acknowledged.length < count) await Promise.race([once(child, 'message'), ended]);
  };
  return { child, acknowledged, ended, acknowledgedAtLeast };
}

/** A process that raises a counter up to a limit, see its program; it waits to be told. */
export async function startRaiser(url: string, limit: number) {
  const child = start('raiser.ts', [url, String(limit)]);
  /** For each raise that it was told of: how often it was decided. */
  const acknowledged: number[] = [];
  const ended = once(child, 'exit');
  await once(child, 'message');
  child.on('message', (said: Exclude<Said, 'ready'>) => acknowledged.push(said.decisions));
  return { child, acknowledged, ended, go: () => child.send('go') };
}

const start = (program: string, args: readonly string[]) =>
  fork(join(__dirname, 'programs', program), args, {
    execArgv: ['-r', require.resolve('../support/typescript.cjs')],
  });
