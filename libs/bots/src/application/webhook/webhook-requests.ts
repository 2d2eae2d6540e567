import type { OutgoingAnswer, OutgoingFault, OutgoingLimits } from '@annals/kernel';
import { OutgoingRefused, OutgoingRequests } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { WebhookAnswer } from '../../domain/webhook/webhook-answer';
import { readAnswer } from '../../domain/webhook/webhook-answer';
import type { WebhookFault } from '../../domain/webhook/webhook-fault';
import { ANSWER_SECONDS } from '../../domain/webhook/webhook-fault';
import type { WebhookMessage } from './webhook-payloads';
import { WebhookPayloads } from './webhook-payloads';

/** A message has at most 10,000 characters, which JSON writes in at most 12 bytes each. */
const LIMITS: OutgoingLimits = { maxBytes: 128 * 1024, ms: ANSWER_SECONDS * 1000, redirects: 0 };

const FAULTS: Readonly<Record<OutgoingFault, 'address' | 'slow' | 'unreachable' | 'url'>> = {
  address: 'address',
  insecure: 'url',
  redirects: 'url',
  slow: 'slow',
  unreachable: 'unreachable',
  url: 'url',
};

/** What came of a request to the program behind a bot. The body is that of the answer. */
export type WebhookResponse = WebhookFault | (Exclude<WebhookAnswer, { kind: 'invalid' }> & { readonly body: string });

/** Asks the programs behind bots. */
@Injectable()
export class WebhookRequests {
  constructor(
    private readonly payloads: WebhookPayloads,
    private readonly outgoing: OutgoingRequests,
  ) {}

  async ask(asked: WebhookMessage): Promise<WebhookResponse> {
    const { webhook, message } = asked;
    if (webhook.url === '') return { failure: 'url' };
    if (webhook.format === 'slack' && message.channelId === null) return { failure: 'direct' };
    try {
      return responseOf(asked, await this.outgoing.send(webhook.url, await this.payloads.of(asked), LIMITS));
    } catch (error) {
      if (error instanceof OutgoingRefused) return { failure: FAULTS[error.fault] };
      throw error;
    }
  }
}

function responseOf({ webhook }: WebhookMessage, { status, body: bytes, isCut }: OutgoingAnswer): WebhookResponse {
  const body = bytes.toString();
  if (status < 200 || status > 299) return { failure: 'status', status, body };
  if (isCut) return { failure: 'answer', reason: 'The response is too long', body };
  const answer = readAnswer(webhook.format, body);
  return answer.kind === 'invalid' ? { failure: 'answer', reason: answer.reason, body } : { ...answer, body };
}
