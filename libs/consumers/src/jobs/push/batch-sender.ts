import type { Instant } from '@annals/kernel/domain';
import type { AfterAttempt, WebhookAttempt } from '../../domain/webhook/attempt';
import type { ConsumerEvent } from '../../read/reading/cloud-event';
import type { PushedConsumer, StoredBatch } from './batch-rows';

/** Events that are sent now. */
export interface SentBatch extends StoredBatch {
  readonly events: readonly ConsumerEvent[];
}

/** What came of sending a batch, and what follows. */
export interface SendResult extends Pick<WebhookAttempt, 'status' | 'ms' | 'answer'> {
  readonly after: AfterAttempt;
}

/** Sends batches of consumers to what these are set to. */
export interface BatchSender {
  /**
   * One attempt, which never rejects because of the receiver. It takes less time than the lease of a consumer.
   *
   * @param attempt its time, and how many have failed before
   * @returns null if there is nothing to send to
   */
  send(
    consumer: PushedConsumer,
    batch: SentBatch,
    attempt: { readonly at: Instant; readonly failures: number },
  ): Promise<SendResult | null>;
}

/** A sender that keeps connections. */
export interface ClosingSender extends BatchSender {
  /** Closes what was not used for some time. */
  closeIdle(): Promise<void>;
  /** Closes everything. */
  close(): Promise<void>;
}
