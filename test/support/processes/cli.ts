import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { annals } from '../../../apps/cli/src/annals';
import { secrets } from '../laws/secrets';

/** The output of a command and how it ended. */
export interface CliRun {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `annals …` in a process of its own, as an operator runs it. */
export class Cli {
  readonly child: ChildProcess;
  private readonly output = { out: '', err: '' };
  private readonly ended: Promise<unknown>;

  constructor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const main = join(__dirname, '../../../apps/cli/src/main.ts');
    this.child = spawn(process.execPath, ['-r', require.resolve('../typescript.cjs'), main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (text) => (this.output.out += String(text)));
    this.child.stderr?.on('data', (text) => (this.output.err += String(text)));
    this.ended = once(this.child, 'close');
  }

  /** @param input what the command reads from its standard input */
  async end(input = ''): Promise<CliRun> {
    this.child.stdin?.end(input);
    await this.ended;
    return noted({ ...this.output, code: this.child.exitCode, signal: this.child.signalCode });
  }
}

/** Runs a command to its end, in this process: a new process takes longer to start than most commands. */
export async function runCli(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CliRun> {
  const output = { out: '', err: '' };
  const into = (where: keyof typeof output) =>
    new Writable({
      write(text, _, done) {
        output[where] += String(text);
        done();
      },
    });
  const code = await annals(args, {
    env: { ...process.env, ...env },
    out: into('out'),
    err: into('err'),
    failed: async (why) => void (output.err += `${why}\n`),
    ask: null,
    stopped: () => new AbortController().signal,
  });
  return noted({ ...output, code, signal: null });
}

function noted(run: CliRun): CliRun {
  const [key] = /^[A-Za-z0-9]{32}$/m.exec(run.out) ?? [];
  if (key !== undefined) secrets.add('key', key);
  secrets.recordOutput(run.err);
  return run;
}
