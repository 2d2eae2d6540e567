import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { reportFailed } from '@annals/embedded';
import { annals } from './annals';

/** Ends at Ctrl-C. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

async function main(): Promise<void> {
  process.exitCode = await annals(process.argv.slice(2), {
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    failed: reportFailed,
    ask: process.stdin.isTTY ? ask : null,
    stopped: untilStopped,
  });
}

void main();
