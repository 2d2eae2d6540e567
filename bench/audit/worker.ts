import 'reflect-metadata';
import { reportFailed, reportReady } from '@annals/embedded';
import { JsonLog } from '@annals/kernel';
import { startWorker } from '../../apps/worker/src/start-worker';
import { endInOrder } from '../../apps/shared/src/ending';
import { openKernel, whyNot } from '../../apps/shared/src/open-kernel';
import { readSettings } from '../../apps/shared/src/settings';
import { SUBJECT_INDEX } from '../../libs/kernel/src/log/subjects/subject-index';
import { subjectsAlone } from './subjects-alone';
import { WITHOUT_AUDIT } from './without-audit';

/**
 * The worker of the server. With the variable, it signs no checkpoint, and the index of subjects has no rows for actors,
 * types, programs and requests.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = new JsonLog(settings.ANNALS_LOG_LEVEL);
  const kernel = await openKernel(settings);
  const signs = !process.env[WITHOUT_AUDIT];
  if (!signs) {
    const projections = kernel.projections.map((one) => (one.name === SUBJECT_INDEX.name ? subjectsAlone(one) : one));
    Object.assign(kernel, { projections });
  }
  const worker = await startWorker(kernel, settings, log, { signs });
  endInOrder(kernel, { close: () => worker.close() });
  reportReady();
}

main().catch(async (error: unknown) => {
  await reportFailed(whyNot(error));
  process.exit(1);
});
