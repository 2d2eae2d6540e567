import { rfc3339 } from '@annals/audit';
import type { Actor } from '@annals/kernel/domain';
import { nullable, t, words } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EndSink, SetSink } from '../application/sink/set-sink';
import { SINK_KINDS } from '../domain/sink/sink-target';
import { ConsumerFacts } from '../read/consumer-facts';
import { ShownConsumers } from '../read/shown-consumers';
import { SinkStates } from '../read/sink/sink-states';
import { ConsumerParams } from './consumers.params';
import { consumerShape } from './shapes';
import { SinkParams, presentSink, sinkTargetOf } from './sink.params';

const addresses = t.Optional(t.Array(t.String()));
const text = t.Optional(t.String());

/** A sink (contract/feed.md section 7). */
const sinkShape = t.Object(
  {
    kind: words(...SINK_KINDS),
    servers: addresses,
    brokers: addresses,
    url: text,
    stream: text,
    topic: text,
    subject_prefix: text,
    credentials: text,
    failure: nullable(
      t.Object(
        { since: t.String(), attempts: t.Integer(), reason: t.String() },
        { description: 'Null if the engine took the last events.' },
      ),
    ),
  },
  { $id: 'Sink' },
);

@Controller()
export class SinkController {
  constructor(
    private readonly commands: CommandBus,
    private readonly shown: ShownConsumers,
    private readonly consumers: ConsumerFacts,
    private readonly states: SinkStates,
  ) {}

  /** contract/feed.md section 7 */
  @Endpoint('PUT', 'feed/consumers/:name/sink', {
    audience: 'anyone',
    section: 'feed 7',
    summary: 'Store the events of a consumer in NATS, Kafka or Redis',
    command: 'SetSink',
    returns: t.Object({ consumer: consumerShape }),
  })
  async set(@By() by: Actor, @Params(SinkParams) p: SinkParams) {
    await this.commands.execute(new SetSink(by, p.name, sinkTargetOf(p)));
    return { consumer: await this.shown.one(by, p.name) };
  }

  /** contract/feed.md section 7 */
  @Endpoint('GET', 'feed/consumers/:name/sink', {
    audience: 'anyone',
    section: 'feed 7',
    summary: 'Where the events of a consumer are stored, and whether that fails',
    returns: t.Object({ sink: sinkShape }),
  })
  async show(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams) {
    const { target, failure } = await this.states.of(await this.consumers.managed(by, name));
    return { sink: { ...presentSink(target), failure: failure && { ...failure, since: rfc3339(failure.since) } } };
  }

  /** contract/feed.md section 7 */
  @Endpoint('DELETE', 'feed/consumers/:name/sink', {
    audience: 'anyone',
    section: 'feed 7',
    summary: 'Let workers pull the events of a consumer again',
    command: 'EndSink',
    returns: null,
  })
  async end(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams): Promise<void> {
    await this.commands.execute(new EndSink(by, name));
  }
}
