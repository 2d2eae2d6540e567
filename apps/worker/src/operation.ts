import type { JsonLog, Kernel } from '@annals/kernel';
import { HealthChecks } from '@annals/kernel';
import { Registry } from 'prom-client';
import { watchKernel } from '../../shared/src/operation/watch-kernel';
import { watchProcess } from '../../shared/src/operation/watch-process';
import type { Settings } from '../../shared/src/settings';
import { serveOperations } from './operations-server';

type OperationSettings = Pick<Settings, 'ANNALS_REALM_METRICS' | 'ANNALS_WORKER_PORT' | 'HOST'>;

export interface WorkerOperation {
  /** From now on the worker may be ready. */
  readonly started: () => void;
  /** From now on it is not. */
  readonly endsSoon: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Health and metrics of a worker, on a port of their own if the settings have one. They answer before the worker has
 * started, because building read models after an upgrade takes its time.
 *
 * @throws CannotStart when it cannot listen on that port
 */
export async function operate(kernel: Kernel, settings: OperationSettings, log: JsonLog): Promise<WorkerOperation> {
  const health = new HealthChecks();
  const state = { started: false };
  health.add('worker', async () => (state.started ? undefined : 'starting'));
  const registry = new Registry();
  watchProcess(registry);
  watchKernel(kernel, { health, registry }, settings);
  const { HOST: host, ANNALS_WORKER_PORT: port } = settings;
  const server = port === undefined ? null : await serveOperations({ health, registry }, host, port);
  if (server) log.log({ msg: 'health and metrics', url: server.url });
  return {
    started: () => void (state.started = true),
    endsSoon: () => health.endsSoon(),
    close: async () => server?.close(),
  };
}
