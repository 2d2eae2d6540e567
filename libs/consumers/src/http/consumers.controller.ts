import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeConsumer, DeleteConsumer, RewindConsumer } from '../application/change-consumer';
import { CreateConsumer } from '../application/create-consumer';
import { ShownConsumers } from '../read/shown-consumers';
import { ChangedConsumerParams, ConsumerParams, NewConsumerParams, RewoundConsumerParams } from './consumers.params';
import { consumerShape } from './shapes';

const one = t.Object({ consumer: consumerShape });

@Controller()
export class ConsumersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consumers: ShownConsumers,
  ) {}

  /** contract/feed.md section 2 */
  @Endpoint('POST', 'feed/consumers', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'Create a consumer of the log',
    command: 'CreateConsumer',
    returns: one,
  })
  async create(@By() by: Actor, @Params(NewConsumerParams) { from, ...p }: NewConsumerParams) {
    const wanted = { ...p, types: p.types ?? null, subjects: p.subjects ?? null };
    await this.commands.execute(new CreateConsumer(by, wanted, from));
    return { consumer: await this.consumers.one(by, p.name) };
  }

  /** contract/feed.md section 2 */
  @Endpoint('GET', 'feed/consumers', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'Consumers that the account manages',
    returns: t.Object({ consumers: t.Array(consumerShape) }),
  })
  async list(@By() by: Actor) {
    return { consumers: await this.consumers.all(by) };
  }

  /** contract/feed.md section 2 */
  @Endpoint('GET', 'feed/consumers/:name', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'A consumer, and how far it is',
    returns: one,
  })
  async show(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams) {
    return { consumer: await this.consumers.one(by, name) };
  }

  /** contract/feed.md section 2 */
  @Endpoint('PATCH', 'feed/consumers/:name', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'Change what a consumer gets, pause or resume it',
    command: 'ChangeConsumer',
    returns: one,
  })
  async change(@By() by: Actor, @Params(ChangedConsumerParams) { name, ...change }: ChangedConsumerParams) {
    await this.commands.execute(new ChangeConsumer(by, name, change));
    return { consumer: await this.consumers.one(by, name) };
  }

  /** contract/feed.md section 2 */
  @Endpoint('DELETE', 'feed/consumers/:name', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'Delete a consumer',
    command: 'DeleteConsumer',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams): Promise<void> {
    await this.commands.execute(new DeleteConsumer(by, name));
  }

  /** contract/feed.md section 2 */
  @Endpoint('POST', 'feed/consumers/:name/rewind', {
    audience: 'anyone',
    section: 'feed 2',
    summary: 'Let a consumer continue at another moment',
    command: 'RewindConsumer',
    returns: one,
  })
  async rewind(@By() by: Actor, @Params(RewoundConsumerParams) { name, to }: RewoundConsumerParams) {
    await this.commands.execute(new RewindConsumer(by, name, to));
    return { consumer: await this.consumers.one(by, name) };
  }
}
