import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { waitAfter } from '../../domain/sink/sink-retries';
import { readSinkTarget } from '../../read/sink/sink-row';
import type { PushedConsumer } from '../push/batch-rows';
import type { ClosingSender, SendResult, SentBatch } from '../push/batch-sender';
import { SinkFault } from './engines/engine';
import { SinkConnections } from './sink-connections';

/** Stores batches in the engines of sinks. */
@Injectable()
export class SinkBatches implements ClosingSender {
  constructor(
    private readonly kernel: Kernel,
    private readonly connections: SinkConnections,
  ) {}

  async send(
    consumer: PushedConsumer,
    { events }: SentBatch,
    { failures }: { readonly failures: number },
  ): Promise<SendResult | null> {
    const target = await readSinkTarget(this.kernel.database.pool, consumer);
    if (!target) return null;
    const started = performance.now();
    const ended = (answer: string) => ({ status: null, ms: Math.round(performance.now() - started), answer });
    try {
      await this.connections.store(consumer, target, events);
      return { ...ended(''), after: { kind: 'acknowledged' } };
    } catch (error) {
      if (!(error instanceof SinkFault)) throw error;
      return { ...ended(error.message), after: { kind: 'retry', waitMs: waitAfter(failures) } };
    }
  }

  closeIdle(): Promise<void> {
    return this.connections.closeIdle();
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}
