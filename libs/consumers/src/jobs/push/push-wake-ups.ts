import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';

/** The job queue that wakes the worker that sends events to the webhooks and sinks of consumers. */
export const PUSH_QUEUE = 'consumer-webhooks';

/** After these a consumer has something to send that no growth of the log announces. */
const WAKING: ReadonlySet<string> = new Set([
  'consumers.WebhookSet',
  'consumers.SinkSet',
  'consumers.ConsumerResumed',
  'consumers.ConsumerRewound',
]);

/** Reads the log and wakes the worker when a webhook or a sink begins to get events, or begins again. */
export function pushWakeUps(kernel: Kernel): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, PUSH_QUEUE);
  return {
    name: 'consumer-webhooks',
    begins: 'head',
    concerns: ({ type }) => WAKING.has(type),
    handle: (page) => {
      const [first] = page;
      if (first) wakeUps.note(first.realmId);
      return Promise.resolve();
    },
    committed: wakeUps.committed,
  };
}
