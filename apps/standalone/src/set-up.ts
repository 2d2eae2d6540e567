import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CannotStart, readChildMessage } from '@annals/embedded';
import type { SetupReport } from '@annals/embedded';
import { forkChild, manner, stopChild } from './child';
import type { Program } from './child';

/**
 * Runs the one-shot program that migrates the database and creates the first organization when there is none.
 * @throws CannotStart with its own sentence when it fails; the reason of `signal` when that is aborted, after the
 * program has ended.
 */
export async function setUp(program: Program, signal: AbortSignal): Promise<SetupReport> {
  const child = forkChild(program, 'pipe');
  let failure: string | undefined;
  child.on('message', (value) => {
    const message = readChildMessage(value);
    if (message?.kind === 'failed') failure = message.message;
  });
  const stop = () => void stopChild(child);
  signal.addEventListener('abort', stop);
  const [output] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'close')]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (failure !== undefined || child.exitCode !== 0)
    throw new CannotStart(failure ?? `The setup of the organization failed (${manner(child)}).`);
  return readReport(output);
}

function readReport(output: string): SetupReport {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    const report = JSON.parse(line) as SetupReport;
    if (typeof report.ownerEmail === 'string' && typeof report.realmUrl === 'string') return report;
  } catch {
    // said below
  }
  throw new CannotStart(`The setup of the organization printed something unexpected: ${line || 'nothing'}`);
}
