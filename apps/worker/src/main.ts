import 'reflect-metadata';
import { reportFailed, reportReady } from '@annals/embedded';
import { JsonLog } from '@annals/kernel';
import { endInOrder } from '../../shared/src/ending';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { readSettings } from '../../shared/src/settings';
import { operate } from './operation';
import { startWorker } from './start-worker';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = new JsonLog(settings.ANNALS_LOG_LEVEL);
  const kernel = await openKernel(settings);
  const operation = await operate(kernel, settings, log);
  const worker = await startWorker(kernel, settings, log);
  operation.started();
  const close = async () => {
    operation.endsSoon();
    await worker.close();
    await operation.close();
  };
  endInOrder(kernel, { close });
  reportReady();
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
