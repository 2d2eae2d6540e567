import 'reflect-metadata';
import { reportFailed, reportReady } from '@annals/embedded';
import { Metrics } from '@annals/web';
import { endInOrder } from '../../shared/src/ending';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import { watchProcess } from '../../shared/src/operation/watch-process';
import { readSettings } from '../../shared/src/settings';
import { startApi } from './start-api';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const kernel = await openKernel(settings);
  const { app, url, announceEnd } = await startApi(kernel, settings);
  watchProcess(app.get(Metrics).registry);
  endInOrder(kernel, {
    close: () => app.close(),
    announce: announceEnd,
    drainSeconds: settings.ANNALS_DRAIN_SECONDS,
  });
  reportReady(url);
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
