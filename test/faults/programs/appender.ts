import pino from 'pino';
import { Kernel } from '@annals/kernel';
import { toyContext } from '../../../libs/kernel/src/spec-support/toy-context';
import { write } from '../appending';

/**
 * A process that appends notes continuously, several at once, and reports each acknowledged one to its parent. It kills
 * itself without warning when a batch reaches the given step for the nth time.
 *
 * Arguments: database url, name of the writer, step or `-`, how often the step is passed first.
 */
const [url = '', writer = '', fatalStep = '-', passes = '0'] = process.argv.slice(2);
const CALLERS = 8;
let passed = 0;

async function main(): Promise<void> {
  const kernel = await Kernel.open({
    databaseUrl: url,
    contexts: [toyContext],
    log: pino({ level: 'silent' }),
    poolSize: 2,
    step: (step) => {
      if (step === fatalStep && passed++ >= Number(passes)) process.kill(process.pid, 'SIGKILL');
    },
  });
  let n = 0;
  const append = async () => {
    for (;;) {
      process.send?.(await write(kernel, `${writer} ${n++}`));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, append));
}

void main();
