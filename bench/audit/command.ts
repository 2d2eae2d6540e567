import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Annals } from '../http/annals';
import { programOf } from '../http/annals';

/** A command of `npm run annals` that was started. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Resolves when it has printed a line with this text, after so many ms. @throws Error with its output if it ends before */
  printed(text: string): Promise<number>;
  /** Resolves when it has ended, after so many ms. @throws Error with its output if it fails */
  ended(): Promise<number>;
}

/** Starts a command of the command line beside a server, in a process of its own. */
export function startCommand({ env }: Pick<Annals, 'env'>, ...args: readonly string[]): RunningCommand {
  const began = performance.now();
  const child = spawn(process.execPath, [programOf('cli'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const listeners: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
      for (const listener of listeners) listener();
    });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const failed = () => new Error(`annals ${args.join(' ')} ended: ${output}`);
  const ended = async () => {
    if ((await exited) !== 0) throw failed();
    return performance.now() - began;
  };
  const printed = (text: string) =>
    new Promise<number>((resolve, reject) => {
      const look = () => output.includes(text) && resolve(performance.now() - began);
      listeners.push(look);
      look();
      void exited.then(() => reject(failed()));
    });
  return { child, printed, ended };
}
