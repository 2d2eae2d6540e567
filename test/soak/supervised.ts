import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readChildMessage } from '@annals/embedded';
import { forkChild, manner, stopChild } from '../../apps/standalone/src/child';
import type { Program } from '../../apps/standalone/src/child';

/** Between two attempts to start a program, in ms. */
const PAUSE_MS = 500;
const ATTEMPTS = 60;

/** A program that is started again whenever it ends, like by a supervisor in production. */
export class Supervised {
  private child: ChildProcess | null = null;
  /** True while the soak itself ends or starts it. */
  private handled = true;
  private stopped = false;

  /** @param log file descriptor of its output @param ended runs when it ends by itself, with the reason */
  constructor(
    readonly name: string,
    private readonly program: Program,
    private readonly log: number,
    private readonly ended: (what: string) => void,
  ) {}

  /** Starts it. Resolves when it serves. @throws Error when it does not start */
  async start(): Promise<void> {
    this.handled = true;
    let reason = '';
    for (let attempt = 0; attempt < ATTEMPTS && !this.stopped; attempt++) {
      if (attempt > 0) await pause(PAUSE_MS);
      reason = await this.comeUp();
      if (reason !== '') continue;
      this.handled = false;
      return;
    }
    if (!this.stopped) throw new Error(`${this.name} does not start: ${reason}`);
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    this.handled = true;
    await this.end('SIGKILL');
  }

  /** Ends it in order. */
  async endInOrder(): Promise<void> {
    this.handled = true;
    if (this.child) await stopChild(this.child);
  }

  /** Freezes it, with all its connections, until `resume`. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.resume();
    await this.endInOrder();
  }

  /** Why it does not serve; the empty text when it does. */
  private comeUp(): Promise<string> {
    const child = (this.child = forkChild(this.program, this.log));
    child.once('exit', () => this.exited(child));
    return new Promise((resolve) => {
      child.on('message', (value) => {
        const message = readChildMessage(value);
        if (message?.kind === 'ready') resolve('');
        if (message?.kind === 'failed') resolve(message.message);
      });
      child.once('exit', () => resolve(`it ended (${manner(child)})`));
      child.once('error', (error) => resolve(error.message));
    });
  }

  private exited(child: ChildProcess): void {
    if (this.handled || child !== this.child) return;
    this.ended(`${this.name} ended by itself (${manner(child)})`);
    this.start().catch((error: unknown) => this.ended(String(error)));
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
