import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart, readChildMessage, reasonOf } from '@annals/embedded';
import type { ChildMessage } from '@annals/embedded';

/** How long a child may take to stop in order before it is killed. */
const STOP_PATIENCE_MS = 20_000;

export interface Program {
  readonly script: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Requests leave many objects that are dead when they are answered. With more memory for the young generation, in MB,
 * nearly all collected objects are dead. The default copies so many live ones that it takes a tenth of a busy server's
 * time.
 */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/**
 * Starts a Node program that speaks the child protocol. It has a process group of its own, so that a Ctrl-C in the
 * terminal reaches only the launcher, which then stops its children in order.
 */
export function forkChild(
  { script, args = [], cwd, env }: Program,
  output: 'inherit' | 'pipe' | number = 'inherit',
): ChildProcess {
  return fork(script, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', output, 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...NODE_FLAGS],
  });
}

/** Asks a child to end and waits until it has, with patience but not for ever. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

/** How a child ended, for the brackets after a sentence. */
export function manner(child: ChildProcess): string {
  return child.signalCode ? `killed by ${child.signalCode}` : `exit code ${child.exitCode}`;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export interface Restarting {
  /** How long to wait before each restart in a row, in ms; when they are used up, the child is given up. */
  readonly pausesMs: readonly number[];
  /** A child that served this long is well again: the next restart is the first one in a row. */
  readonly wellAfterMs: number;
  /** The time, in ms. */
  readonly now: () => number;
}

/** A child that is kept running. */
export class SupervisedChild {
  private child: ChildProcess | undefined;
  private restarts = 0;
  private readonly stopping = new AbortController();
  private fail: (reason: CannotStart) => void;
  /** Rejects with the reason when the child has died too often; is otherwise never settled. */
  readonly failed = new Promise<never>((_, reject) => (this.fail = reject));

  constructor(
    private readonly name: string,
    private readonly program: Program,
    private readonly restarting: Restarting,
    private readonly say: (line: string) => void,
  ) {
    this.failed.catch(() => undefined); // Its starter may have failed and ended before.
  }

  /**
   * Starts it for the first time and returns the address that it reports, if any.
   *
   * @throws CannotStart when it does not start. It is not tried again then
   */
  async start(): Promise<string | undefined> {
    const ready = await this.becomeReady();
    void this.keep();
    return ready.address;
  }

  /** Ends the process. It is not started again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.child) await stopChild(this.child);
  }

  private async becomeReady(): Promise<ChildMessage & { kind: 'ready' }> {
    const child = (this.child = forkChild(this.program));
    return new Promise((resolve, reject) => {
      const fail = (message: string) => reject(new CannotStart(message));
      child.on('message', (value) => {
        const message = readChildMessage(value);
        if (message?.kind === 'ready') resolve(message);
        if (message?.kind === 'failed') fail(message.message);
      });
      child.once('exit', () => fail(`The ${this.name} ended while it was starting (${manner(child)}).`));
      child.once('error', (error) => fail(`The ${this.name} cannot be started: ${error.message}.`));
    });
  }

  /** Starts the process again each time it ends, until `stop` is called or it has failed too often. */
  private async keep(): Promise<void> {
    for (;;) {
      const since = this.restarting.now();
      if (this.child && !hasEnded(this.child)) await once(this.child, 'exit');
      if (this.stopping.signal.aborted) return;
      if (this.restarting.now() - since >= this.restarting.wellAfterMs) this.restarts = 0;
      const pause = this.restarting.pausesMs[this.restarts++];
      const death = `The ${this.name} ended unexpectedly (${this.child ? manner(this.child) : ''})`;
      if (pause === undefined)
        return this.fail(new CannotStart(`${death}, ${this.restarts} times in a row. It is not started again.`));
      this.say(`${death}. It is started again in ${pause / 1000} s.`);
      await sleep(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      await this.startAgain();
    }
  }

  private async startAgain(): Promise<void> {
    try {
      await this.becomeReady();
      this.say(`The ${this.name} is running again.`);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.say(reasonOf(error));
    }
  }
}
