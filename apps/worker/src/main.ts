import 'reflect-metadata';
import { reportFailed, reportReady, whenLauncherEnds } from '@annals/embedded';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { readSettings } from '../../shared/src/settings';
import { startWorker } from './start-worker';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const worker = await startWorker(await openKernel(settings), settings);
  whenLauncherEnds(() => void worker.close().then(() => process.exit(0)));
  reportReady();
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
