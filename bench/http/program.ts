import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readChildMessage } from '@annals/embedded';
import { forkChild, stopChild } from '../../apps/standalone/src/child';

export interface ProgramOptions {
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where its log is written, like by a service manager. */
  readonly folder: string;
}

/** A server of ours in a process of its own. */
export interface RunningProgram {
  readonly pid: number;
  /** `http://host:port`; the empty text for one that does not listen. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program that speaks the child protocol and waits until it serves. It ends with `stop`, or with this process.
 *
 * @throws Error with its own message when it does not start
 */
export async function startProgram({ script, env, folder }: ProgramOptions): Promise<RunningProgram> {
  const log = openSync(join(folder, 'programs.log'), 'a');
  const child = forkChild({ script, cwd: folder, env }, log);
  closeSync(log);
  const address = await served(child, script);
  return { pid: child.pid ?? 0, address, stop: () => stopChild(child) };
}

function served(child: ChildProcess, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('message', (value) => {
      const message = readChildMessage(value);
      if (message?.kind === 'ready') resolve(message.address ?? '');
      if (message?.kind === 'failed') reject(new Error(message.message));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended while it was starting (exit code ${code})`)));
  });
}
