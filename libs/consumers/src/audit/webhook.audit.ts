import type { EventDescription } from '@annals/kernel';
import { describeEvent, wordsOf } from '@annals/kernel';
import {
  WebhookEnded,
  WebhookFailureReported,
  WebhookSecretRotated,
  WebhookSet,
} from '../domain/webhook/webhook-events';

const webhookOf = (consumerId: number): string => `the webhook of consumer ${consumerId}`;

const set = describeEvent(WebhookSet, {
  meaning: 'The events of a consumer of the log are sent to a URL from then on.',
  commands: ['SetWebhook'],
  sentence: ({ data: { consumerId } }) => [`chose where the events of consumer ${consumerId} are sent`],
  changes: (event) => [
    { property: 'webhook_url', after: wordsOf(event, ({ url }) => url), isWords: true },
    { property: 'webhook_batch', after: event.data.batch },
  ],
});

const ended = describeEvent(WebhookEnded, {
  meaning: 'The events of a consumer of the log are not sent to a URL any more.',
  commands: ['EndWebhook'],
  sentence: ({ data }) => [`ended ${webhookOf(data.consumerId)}`],
  changes: () => [
    { property: 'webhook_url', after: null },
    { property: 'webhook_batch', after: null },
  ],
});

const rotated = describeEvent(WebhookSecretRotated, {
  meaning: 'Requests to the webhook of a consumer are signed with another secret.',
  commands: ['RotateWebhookSecret'],
  sentence: ({ data }) => [`changed the secret of ${webhookOf(data.consumerId)}`],
});

const reported = describeEvent(WebhookFailureReported, {
  meaning: 'The owner of a consumer learned that its webhook fails.',
  commands: ['WebhookNotices'],
  sentence: ({ data: { consumerId, hours } }) => [
    `reported that ${webhookOf(consumerId)} has failed for ${hours === 1 ? 'an hour' : `${hours} hours`}`,
  ],
});

export const webhookDescriptions: readonly EventDescription[] = [set, ended, rotated, reported];
