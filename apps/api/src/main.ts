import 'reflect-metadata';
import { reportFailed, reportReady, whenLauncherEnds } from '@annals/embedded';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { readSettings } from '../../shared/src/settings';
import { startApi } from './start-api';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const { app, url } = await startApi(await openKernel(settings), settings);
  whenLauncherEnds(() => void app.close().then(() => process.exit(0)));
  reportReady(url);
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
