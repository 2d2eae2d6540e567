import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import type { SinkTarget } from '../../domain/sink/sink-target';
import type { ConsumerRow } from '../consumer-row';
import { readSinkTarget } from './sink-row';

/** An engine has not taken the next events. */
export interface SinkFailure {
  readonly since: Instant;
  readonly attempts: number;
  /** Of the last attempt. */
  readonly reason: string;
}

/** Sinks as those who manage them see them (contract/feed.md section 7). */
@Injectable()
export class SinkStates {
  constructor(private readonly kernel: Kernel) {}

  /** @throws Rejected BAD_REQUEST if the consumer has no sink */
  async of(consumer: ConsumerRow): Promise<{ readonly target: SinkTarget; readonly failure: SinkFailure | null }> {
    const { pool } = this.kernel.database;
    const target = consumer.sink && (await readSinkTarget(pool, consumer));
    if (!consumer.sink || !target) throw reject.noSink();
    const { rows } = await pool.query<SinkFailure>({
      name: 'consumers-sink-failure',
      text: `SELECT b.failing_since AS since, b.failures AS attempts, coalesce(d.answer, '') AS reason
        FROM consumer_batches AS b
        LEFT JOIN consumer_deliveries AS d ON d.realm_id = b.realm_id AND d.consumer_id = b.consumer_id
          AND d.number = b.deliveries
        WHERE b.realm_id = $1 AND b.consumer_id = $2 AND b.fresh_since = $3 AND b.failing_since IS NOT NULL`,
      values: [consumer.realmId, consumer.id, consumer.sink.freshSince],
    });
    return { target, failure: rows[0] ?? null };
  }
}
