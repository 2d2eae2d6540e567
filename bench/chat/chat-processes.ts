import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../harness';
import { Load } from '../harness';
import { Chat } from './chat';
import type { Run } from './chat-process';

export interface ChatProcesses {
  readonly processes: number;
  readonly realms: number;
  /** All together; each process has its part of them. */
  readonly callers: number;
  /** Each process sends to its part of the realms, and not to all. */
  readonly apart?: boolean;
}

/**
 * Starts processes that send messages to the realms of one database. They end with the measurement. First each of them
 * sends alone for as long as a measurement: code that runs for the first time is several times slower, and a process
 * with a quarter of the work would need four times as long.
 *
 * @returns a function that makes them send for so many seconds, all at once
 */
export async function startChatProcesses(
  bench: Bench,
  { processes, realms, callers, apart = false }: ChatProcesses,
): Promise<(seconds: number) => Promise<Load>> {
  const { kernel } = await Chat.open(bench, { realms });
  const own = apart ? realms / processes : realms;
  const children = Array.from({ length: processes }, (_, number) => {
    const first = apart ? number * own + 1 : 1;
    const numbers = [realms, number, first, own].map(String);
    return fork(join(__dirname, 'chat-process.js'), [kernel.options.databaseUrl, ...numbers]);
  });
  bench.after(async () => {
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill();
    await Promise.all(ended);
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  const send = async (child: ChildProcess, seconds: number): Promise<number[]> => {
    const answer = once(child, 'message') as Promise<[number[]]>;
    child.send({ seconds, callers: callers / processes } satisfies Run);
    return (await answer)[0];
  };
  for (const child of children) await send(child, bench.seconds);
  return async (seconds) => {
    const load = new Load(seconds);
    for (const took of await Promise.all(children.map((child) => send(child, seconds))))
      for (const ms of took) load.record(ms, 0);
    return load;
  };
}
