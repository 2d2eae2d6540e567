import { ConsumerStreams, PullPolls } from '@annals/consumers';
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
    private readonly consumerStreams: ConsumerStreams,
    private readonly settings: OperationSettings,
  ) {}

  static with(settings: OperationSettings): FactoryProvider<ApiOperation> {
    return {
      provide: ApiOperation,
      inject: [Kernel, HealthChecks, Metrics, Dispatcher, PullPolls, ConsumerStreams],
      useFactory: (
        kernel: Kernel,
        health: HealthChecks,
        metrics: Metrics,
        dispatcher: Dispatcher,
        pulls: PullPolls,
        streams: ConsumerStreams,
      ) => new ApiOperation(kernel, health, metrics, dispatcher, pulls, streams, settings),
    };
  }

  onModuleInit(): void {
    const { kernel, health, dispatcher, pulls, consumerStreams } = this;
    const { registry } = this.metrics;
    watchKernel(kernel, { health, registry }, this.settings);
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    gauge('annals_polls_waiting', 'GET /events that hang in this process', () => dispatcher.waiting);
    gauge('annals_pulls_waiting', 'Workers of consumers that wait for events in this process', () => pulls.count);
    gauge('annals_streams_open', 'GET /events that this process answers with a stream', () => dispatcher.streaming);
    gauge(
      'annals_consumer_streams_open',
      'Streams of consumers that are open in this process',
      () => consumerStreams.count,
    );
    gauge(
      'annals_polled_realms_stopped',
      'Realms polled in this process whose client events have stopped at an event that cannot be translated',
      () => dispatcher.stopped.length,
    );
  }
}
