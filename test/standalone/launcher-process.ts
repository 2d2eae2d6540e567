import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Arguments that make Node run a launcher with these programs: the real ones, or those beside the specs. */
export const launcherWith = (programs: 'real' | 'fake'): readonly string[] => [
  '-r',
  require.resolve('../support/typescript.cjs'),
  join(__dirname, 'programs/launcher.ts'),
  programs,
];

/** A launcher in a process of its own, and its output. */
export class LauncherProcess {
  output = '';
  private readonly process: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.process = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.process, 'close');
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (text) => {
        this.output += String(text);
        this.process.emit('said');
      });
    }
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('it was not started');
    return this.process.pid;
  }

  /** Its last line. */
  get lastLine(): string {
    return this.output.trim().split('\n').at(-1) ?? '';
  }

  /** Waits until it has printed this so many times. */
  async says(text: string, times = 1): Promise<void> {
    const hasSaid = () => this.output.split(text).length > times;
    const end = this.ended.then(() => hasSaid() || Promise.reject(new Error(`It ended and had said: ${this.output}`)));
    while (!hasSaid()) await Promise.race([once(this.process, 'said'), end]);
  }

  async running(): Promise<this> {
    await this.says('Annals is running.');
    return this;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.exitCode();
  }

  async exitCode(): Promise<number | null> {
    await this.ended;
    return this.process.exitCode;
  }
}
