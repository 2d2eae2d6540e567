import { ConsumerStreams, PullPolls } from '@annals/consumers';
import { Dispatcher } from '@annals/feed';
import { HealthChecks, Kernel } from '@annals/kernel';
import { Metrics, OrganizationSlots } from '@annals/web';
import type { FactoryProvider, OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { watchKernel } from '../../shared/src/operation/watch-kernel';
import type { Settings } from '../../shared/src/settings';
import { registerRealmRequests } from './realm-requests';

type OperationSettings = Pick<Settings, 'ANNALS_REALM_METRICS'>;

/** The parts of an api that count what waits in it. */
interface Counted {
  readonly dispatcher: Dispatcher;
  readonly pulls: PullPolls;
  readonly consumerStreams: ConsumerStreams;
  readonly slots: OrganizationSlots;
}

/** The parts of an api for its health and metrics. */
export class ApiOperation implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
    private readonly counted: Counted,
    private readonly settings: OperationSettings,
  ) {}

  static with(settings: OperationSettings): FactoryProvider<ApiOperation> {
    return {
      provide: ApiOperation,
      inject: [Kernel, HealthChecks, Metrics, Dispatcher, PullPolls, ConsumerStreams, OrganizationSlots],
      useFactory: (
        kernel: Kernel,
        health: HealthChecks,
        metrics: Metrics,
        dispatcher: Dispatcher,
        pulls: PullPolls,
        consumerStreams: ConsumerStreams,
        slots: OrganizationSlots,
      ) => new ApiOperation(kernel, health, metrics, { dispatcher, pulls, consumerStreams, slots }, settings),
    };
  }

  onModuleInit(): void {
    const { kernel, health, settings } = this;
    const { dispatcher, pulls, consumerStreams, slots } = this.counted;
    const { registry } = this.metrics;
    watchKernel(kernel, { health, registry }, settings);
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    const { figures } = slots;
    gauge('annals_requests_in_progress', 'Requests that have a slot in this process', () => figures.inProgress);
    gauge('annals_requests_waiting', 'Requests that wait for a slot in this process', () => figures.waiting);
    if (settings.ANNALS_REALM_METRICS === 'on') registerRealmRequests(figures, registry);
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
