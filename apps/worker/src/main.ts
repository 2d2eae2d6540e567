import 'reflect-metadata';
import { reportFailed, reportReady, whenLauncherEnds } from '@annals/embedded';
import { endWhenTakenBack } from '../../shared/src/ending';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { readSettings } from '../../shared/src/settings';
import { startWorker } from './start-worker';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const kernel = await openKernel(settings);
  const worker = await startWorker(kernel, settings);
  endWhenTakenBack(kernel, () => worker.close());
  whenLauncherEnds(() => void worker.close().then(() => process.exit(0)));
  reportReady();
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
