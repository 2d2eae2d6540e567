import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from './cannot-start';
import { freePort } from './free-port';
import { serviceEnvironment } from './service-environment';

/** How long a service may take to stop in order before it is told to drop everything. */
const STOP_PATIENCE_MS = 30_000;
const ATTEMPTS = 5;

/** The user a service runs as; only root can choose one. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Written to its standard input, which is then closed. */
  readonly input?: string;
  readonly runAs?: RunAs | undefined;
  /** What asks it to end in order; SIGQUIT follows when that takes too long. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** Where its output is appended. */
  readonly logFile: string;
}

export interface GuardedProcess {
  readonly isRunning: () => boolean;
  /** Settles when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Asks it to end, waits until it has, and returns at once when it had ended before. */
  readonly stop: () => Promise<void>;
}

export interface Service {
  readonly name: string;
  readonly commandOn: (port: number) => GuardedCommand;
  /** Whether it answers on this port by now; throws when it answers that it never will. */
  readonly answersOn: (port: number) => Promise<boolean>;
  /** Gives up waiting for it, and stops it. */
  readonly signal?: AbortSignal | undefined;
  /** The port to take; a free one when left out. */
  readonly port?: number | undefined;
}

/**
 * Starts a service on a free port of 127.0.0.1 and waits until it answers. It is tried again on another port when
 * it ends before that, since the port may have been taken meanwhile or an earlier run may still be letting go.
 * @throws CannotStart with the last line of its log when it never comes up.
 */
export async function startService(service: Service): Promise<GuardedProcess & { readonly port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = service.port ?? (await freePort());
    const command = service.commandOn(port);
    const running = await spawnGuarded(command);
    if (await comesUp(running, () => service.answersOn(port), service.signal)) return { ...running, port };
    if (attempt === ATTEMPTS)
      throw new CannotStart(`${service.name} does not start: ${lastLine(command.logFile)} (see ${command.logFile}).`);
    await sleep(250, undefined, { signal: service.signal });
  }
}

async function comesUp(
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
 * Starts a process that lives exactly as long as this one wants it to. It has its own process group, so that a
 * Ctrl-C in the terminal reaches only us and we can stop it last; and a shell holds our pipe and stops it when the
 * pipe breaks, so that it ends even when we are killed without a chance to say so.
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
  child.ref(); // or this process may be over before the service is
  child.kill(signal);
  const impatience = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) || 'it ended without a word';
}
