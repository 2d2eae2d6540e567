import { PullPolls } from '@annals/consumers';
import { Dispatcher } from '@annals/feed';
import { HealthChecks, Kernel } from '@annals/kernel';
import { Metrics } from '@annals/web';
import type { FactoryProvider, OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { watchKernel } from '../../shared/src/operation/watch-kernel';
import type { Settings } from '../../shared/src/settings';

type OperationSettings = Pick<Settings, 'ANNALS_REALM_METRICS'>;

/** The parts of an api for its health and metrics. */
export class ApiOperation implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
    private readonly dispatcher: Dispatcher,
    private readonly pulls: PullPolls,
    private readonly settings: OperationSettings,
  ) {}

  static with(settings: OperationSettings): FactoryProvider<ApiOperation> {
    return {
      provide: ApiOperation,
      inject: [Kernel, HealthChecks, Metrics, Dispatcher, PullPolls],
      useFactory: (kernel: Kernel, health: HealthChecks, metrics: Metrics, dispatcher: Dispatcher, pulls: PullPolls) =>
        new ApiOperation(kernel, health, metrics, dispatcher, pulls, settings),
    };
  }

  onModuleInit(): void {
    const { kernel, health, dispatcher, pulls } = this;
    const { registry } = this.metrics;
    watchKernel(kernel, { health, registry }, this.settings);
    new Gauge({
      name: 'annals_polls_waiting',
      help: 'GET /events that hang in this process',
      registers: [registry],
      collect() {
        this.set(dispatcher.waiting);
      },
    });
    new Gauge({
      name: 'annals_pulls_waiting',
      help: 'Workers of consumers that wait for events in this process',
      registers: [registry],
      collect() {
        this.set(pulls.count);
      },
    });
    new Gauge({
      name: 'annals_streams_open',
      help: 'GET /events that this process answers with a stream',
      registers: [registry],
      collect() {
        this.set(dispatcher.streaming);
      },
    });
    new Gauge({
      name: 'annals_polled_realms_stopped',
      help: 'Realms polled in this process whose client events have stopped at an event that cannot be translated',
      registers: [registry],
      collect() {
        this.set(dispatcher.stopped.length);
      },
    });
  }
}
