import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { secrets } from './secrets';

/** What a command said and how it ended. */
export interface CliRun {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `annals …` in a process of its own, as an operator runs it. */
export class Cli {
  readonly child: ChildProcess;
  private readonly said = { out: '', err: '' };
  private readonly ended: Promise<unknown>;

  constructor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const main = join(__dirname, '../../apps/cli/src/main.ts');
    this.child = spawn(process.execPath, ['-r', require.resolve('./typescript.cjs'), main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (text) => (this.said.out += String(text)));
    this.child.stderr?.on('data', (text) => (this.said.err += String(text)));
    this.ended = once(this.child, 'close');
  }

  async end(): Promise<CliRun> {
    await this.ended;
    const [key] = /^[A-Za-z0-9]{32}$/m.exec(this.said.out) ?? [];
    if (key !== undefined) secrets.add('key', key);
    secrets.heard(this.said.err);
    return { ...this.said, code: this.child.exitCode, signal: this.child.signalCode };
  }
}

/** Runs a command to its end. */
export const runCli = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CliRun> =>
  new Cli(env, ...args).end();
