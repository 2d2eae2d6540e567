import 'reflect-metadata';
import { reportFailed, reportReady, whenLauncherEnds } from '@annals/embedded';
import { Metrics } from '@annals/web';
import { endWhenTakenBack } from '../../shared/src/ending';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { readSettings } from '../../shared/src/settings';
import { startApi } from './start-api';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const kernel = await openKernel(settings);
  const { app, url } = await startApi(kernel, settings);
  app.get(Metrics).watchProcess();
  endWhenTakenBack(kernel, () => app.close());
  whenLauncherEnds(() => void app.close().then(() => process.exit(0)));
  reportReady(url);
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
