import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from './cannot-start';
import { freePort } from './free-port';
import { serviceEnvironment } from './service-environment';

/** Time in ms that a service has for an orderly stop before it is killed. */
const STOP_PATIENCE_MS = 30_000;
const ATTEMPTS = 5;

/** The user that a service runs as. Only root can choose one. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Written to its standard input, which is closed afterwards. */
  readonly input?: string;
  readonly runAs?: RunAs | undefined;
  /** The signal that requests an orderly end. SIGQUIT follows if that takes too long. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** The file to which its output is appended. */
  readonly logFile: string;
}

export interface GuardedProcess {
  readonly isRunning: () => boolean;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Requests the end of the process and waits for it. Returns at once if the process has ended already. */
  readonly stop: () => Promise<void>;
}

export interface Service {
  readonly name: string;
  readonly commandOn: (port: number) => GuardedCommand;
  /** Whether the service answers on this port. Throws if it answers that it will never serve. */
  readonly answersOn: (port: number) => Promise<boolean>;
  /** Ends the wait for the service, and stops it. */
  readonly signal?: AbortSignal | undefined;
  /** The port to use; a free one by default. */
  readonly port?: number | undefined;
}

/**
 * Starts a service on a free port of 127.0.0.1 and waits until it answers. If the service ends before that, it is
 * started again on another port: the port may have been taken meanwhile, or an earlier run may still hold it.
 * @throws CannotStart with the last line of its log if it never answers
 */
export async function startService(service: Service): Promise<GuardedProcess & { readonly port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = service.port ?? (await freePort());
    const command = service.commandOn(port);
    const running = await spawnGuarded(command);
    if (await becomesReady(running, () => service.answersOn(port), service.signal)) return { ...running, port };
    if (attempt === ATTEMPTS)
      throw new CannotStart(`${service.name} does not start: ${lastLine(command.logFile)} (see ${command.logFile}).`);
    await sleep(250, undefined, { signal: service.signal });
  }
}

async function becomesReady(
  running: GuardedProcess,
  answers: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    while (running.isRunning()) {
      if (await answers()) return true;
      await sleep(25, undefined, { signal });
    }
    return false;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/**
 * Starts a process that lives no longer than this one. It has its own process group, so that a Ctrl-C in the terminal
 * reaches only this process, which stops the service last. A shell holds a pipe of this process and stops the service
 * when the pipe breaks, so the service also ends if this process is killed.
 */
export async function spawnGuarded(what: GuardedCommand): Promise<GuardedProcess> {
  const log = openSync(what.logFile, 'a', 0o600);
  const child = spawn(what.command, what.args, {
    cwd: '/',
    detached: true,
    env: serviceEnvironment(),
    stdio: [what.input === undefined ? 'ignore' : 'pipe', log, log],
    ...what.runAs,
  });
  closeSync(log);
  const failure = new Promise<Error>((resolve) => child.on('error', resolve));
  if (child.pid === undefined) throw new CannotStart(`Cannot run ${what.command}: ${(await failure).message}.`);
  const guard = spawnGuard(child.pid, what.stopSignal);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => guard.kill('SIGKILL'));
  child.stdin?.on('error', () => undefined).end(what.input);
  child.unref();
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return { isRunning, ended, stop: () => stopChild(child, ended, what.stopSignal) };
}

function spawnGuard(pid: number, signal: GuardedCommand['stopSignal']): ChildProcess {
  const script = `read _; kill -${signal.slice('SIG'.length)} ${pid}`;
  const guard = spawn('sh', ['-c', script], {
    cwd: '/',
    detached: true,
    env: serviceEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => process.kill(pid, signal));
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

async function stopChild(child: ChildProcess, ended: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  child.ref(); // This process may end before the service has ended.
  child.kill(signal);
  const impatience = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) || 'it ended without a word';
}
