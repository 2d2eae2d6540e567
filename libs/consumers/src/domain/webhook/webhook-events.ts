import type { FactOf } from '@annals/kernel/domain';
import { count, defineEvent, t } from '@annals/kernel/domain';
import { ofConsumer, subjectsOf } from '../of-consumer';

/** Stream `consumer-webhook-{consumer}`, like all others: the server sends the events of the consumer to a URL. */
export const WebhookSet = defineEvent('consumers.WebhookSet', {
  data: t.Object({
    ...ofConsumer,
    /** Whether a request has several events. */
    batch: t.Boolean(),
  }),
  sealed: t.Object({ url: t.String() }),
  subjects: subjectsOf,
});
export type WebhookSet = FactOf<typeof WebhookSet>;

/** Workers pull the events of the consumer again. */
export const WebhookEnded = defineEvent('consumers.WebhookEnded', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type WebhookEnded = FactOf<typeof WebhookEnded>;

/** Requests are signed with another secret. The one before is used too, for a day. */
export const WebhookSecretRotated = defineEvent('consumers.WebhookSecretRotated', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type WebhookSecretRotated = FactOf<typeof WebhookSecretRotated>;

/** The owner learned that requests have failed for some time. */
export const WebhookFailureReported = defineEvent('consumers.WebhookFailureReported', {
  data: t.Object({
    ...ofConsumer,
    /** Time of the first failed request, in milliseconds. */
    since: count,
    /** Hours that had passed at least. */
    hours: count,
  }),
  subjects: subjectsOf,
});
export type WebhookFailureReported = FactOf<typeof WebhookFailureReported>;

export type WebhookEvents = WebhookSet | WebhookEnded | WebhookSecretRotated | WebhookFailureReported;
