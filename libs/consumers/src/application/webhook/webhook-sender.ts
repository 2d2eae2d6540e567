import type { OutgoingFault, OutgoingLimits, OutgoingScope } from '@annals/kernel';
import { OutgoingRefused, OutgoingRequests } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import type { WebhookAttempt } from '../../domain/webhook/attempt';
import { ensureWebUrl } from '../../domain/webhook/webhook-url';
import { reject } from '../../domain/rejections';
import type { WebhookTarget } from '../../read/webhook/webhook-row';

const USER_AGENT = 'Annals (webhook)';
/** Time and bytes of an answer (contract/feed.md section 6). */
const LIMITS: OutgoingLimits = { maxBytes: 500, ms: 15_000, redirects: 0, isSecure: true };
/** For a name to be resolved. */
const CHECK: OutgoingScope = { ms: 5_000, isSecure: true };

/** What `webhook-id` names: a request that is repeated until it is acknowledged. */
export interface SignedMessage {
  readonly id: string;
  readonly contentType: string;
  readonly body: string;
}

/** The media types of CloudEvents: one event in structured mode, or a batch. */
export const contentTypeOf = (isBatch: boolean): string =>
  `application/cloudevents${isBatch ? '-batch' : ''}+json; charset=utf-8`;

/** What deliveries show when there was no answer. */
const FAULTS: Readonly<Record<OutgoingFault, string>> = {
  address: 'The address is not allowed.',
  insecure: 'The URL must begin with https:.',
  redirects: 'The answer was a redirect.',
  slow: 'There was no answer in time.',
  unreachable: 'The server was not reached.',
  url: 'The URL is none of a web server.',
};

/** Sends signed requests to the webhooks of consumers (Standard Webhooks 1.0). */
@Injectable()
export class WebhookSender {
  constructor(private readonly outgoing: OutgoingRequests) {}

  /** One attempt. Never rejects because of the receiver. @param at its time */
  async send({ url, secrets }: WebhookTarget, message: SignedMessage, at: Instant): Promise<WebhookAttempt> {
    const { id, contentType, body } = message;
    const time = new Date(at);
    const headers = {
      'content-type': contentType,
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
    };
    const started = performance.now();
    const ended = () => Math.round(performance.now() - started);
    try {
      const answer = await this.outgoing.send(url, { method: 'POST', headers, body }, LIMITS);
      const { status, body: bytes } = answer;
      const retryAfter = answer.headers['retry-after'];
      return { status, ms: ended(), answer: bytes.toString().replaceAll('\0', '\ufffd'), retryAfter };
    } catch (error) {
      if (!(error instanceof OutgoingRefused)) throw error;
      return { status: null, ms: ended(), answer: FAULTS[error.fault], retryAfter: undefined };
    }
  }

  /**
   * Whether requests may be sent to a URL. A name that cannot be resolved now is allowed: it is checked before each request.
   *
   * @throws Rejected BAD_WEBHOOK_URL
   */
  async ensureAllowed(url: string): Promise<void> {
    ensureWebUrl(url);
    try {
      await this.outgoing.check(url, CHECK);
    } catch (error) {
      if (!(error instanceof OutgoingRefused)) throw error;
      if (error.fault === 'insecure') throw reject.insecureWebhookUrl();
      if (error.fault === 'address') throw reject.privateWebhookUrl();
    }
  }
}
