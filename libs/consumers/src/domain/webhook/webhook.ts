import type { Instant } from '@annals/kernel/domain';
import { HOUR_MS, defineAggregate, fact } from '@annals/kernel/domain';
import type { ConsumerState } from '../consumer';
import { reject } from '../rejections';
import type { WebhookEvents } from './webhook-events';
import { WebhookEnded, WebhookFailureReported, WebhookSecretRotated, WebhookSet } from './webhook-events';

/** Where the server sends the events of a consumer. */
export interface Webhook {
  /** Empty once it was erased. */
  readonly url: string;
  readonly batch: boolean;
}

/** A webhook as rules need it. */
export interface WebhookState extends Webhook {
  /** What its owner was told last about failed requests. */
  readonly reported: FailureReport | null;
}

/** Requests have failed since a time, for so many hours. */
export interface FailureReport {
  readonly since: Instant;
  readonly hours: number;
}

/** Hours of failed requests after which the owner is told (contract/feed.md section 6). */
export const REPORT_HOURS = [1, 24] as const;

/** Null before it was set and after it was ended. */
export const webhookAggregate = defineAggregate<WebhookState | null, WebhookEvents>(
  'consumer-webhook',
  null,
  (state, event) => {
    switch (event.type) {
      case 'consumers.WebhookSet': {
        const { sealed, data } = event;
        return { url: sealed === 'erased' ? '' : sealed.url, batch: data.batch, reported: null };
      }
      case 'consumers.WebhookEnded':
        return null;
      case 'consumers.WebhookSecretRotated':
        return state;
      case 'consumers.WebhookFailureReported': {
        const { since, hours } = event.data;
        return state && { ...state, reported: { since: since as Instant, hours } };
      }
    }
  },
);

type Owned = Pick<ConsumerState, 'id' | 'ownerId'>;

const ofConsumer = ({ id: consumerId, ownerId }: Owned) => ({ consumerId, ownerId });

/**
 * Equal values with the same secret give no event (contract/feed.md section 6).
 *
 * @param isSameSecret requests are signed as before
 */
export function setWebhook(
  state: WebhookState | null,
  consumer: Owned,
  { url, batch }: Webhook,
  isSameSecret: boolean,
): WebhookSet[] {
  if (state?.url === url && state.batch === batch && isSameSecret) return [];
  return [fact(WebhookSet, { ...ofConsumer(consumer), batch }, { url })];
}

/** @throws Rejected BAD_REQUEST if there is none */
export function endWebhook(state: WebhookState | null, consumer: Owned): WebhookEnded[] {
  if (!state) throw reject.noWebhook();
  return [fact(WebhookEnded, ofConsumer(consumer))];
}

/** @throws Rejected BAD_REQUEST if there is none */
export function rotateSecret(state: WebhookState | null, consumer: Owned): WebhookSecretRotated[] {
  if (!state) throw reject.noWebhook();
  return [fact(WebhookSecretRotated, ofConsumer(consumer))];
}

/** Tells the owner about failed requests, once for each of `REPORT_HOURS`. */
export function reportFailure(
  state: WebhookState | null,
  consumer: Owned,
  { since, hours }: FailureReport,
): WebhookFailureReported[] {
  const isTold = state?.reported?.since === since && state.reported.hours >= hours;
  return !state || isTold ? [] : [fact(WebhookFailureReported, { ...ofConsumer(consumer), since, hours })];
}

/** Which of `REPORT_HOURS` is due about requests that fail since a time. Null for none. */
export const dueReport = (since: Instant, now: Instant): number | null =>
  REPORT_HOURS.filter((hours) => now - since >= hours * HOUR_MS).at(-1) ?? null;
