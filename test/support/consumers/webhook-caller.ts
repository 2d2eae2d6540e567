import { Webhook } from 'standardwebhooks';
import type { WebhookReceiver, WebhookRequest } from '../bots/webhook-receiver';
import type { Answer, Caller, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { TestServer } from '../server/server';
import { ConsumerCaller } from './consumer-caller';

/** A request to a webhook, as `GET …/webhook/deliveries` shows it. */
export interface ShownDelivery {
  readonly id: string;
  readonly at: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly ms: number;
  readonly answer: string;
}

/** A consumer with a webhook, its owner and the receiver. */
export class WebhookCaller {
  secret = '';

  private constructor(
    private readonly server: TestServer,
    readonly receiver: WebhookReceiver,
    readonly consumer: ConsumerCaller,
  ) {}

  /** Creates a consumer of messages from now on, and sends its events to the receiver. */
  static async created(
    server: TestServer,
    receiver: WebhookReceiver,
    owner: Caller,
    wanted: Params & { readonly name: string },
    webhook: Params = {},
  ): Promise<WebhookCaller> {
    const { name, ...rest } = wanted;
    const consumer = await ConsumerCaller.created(owner, name, { types: ['messages.MessageSent'], ...rest });
    const caller = new WebhookCaller(server, receiver, consumer);
    await caller.set(webhook);
    return caller;
  }

  get path(): string {
    return `/feed/consumers/${this.consumer.name}/webhook`;
  }

  /** Sets the webhook, by default to the receiver. */
  async set(wanted: Params = {}): Promise<void> {
    const params = { url: this.receiver.url, ...wanted };
    this.secret = granted(await this.consumer.owner.put<{ secret: string }>(this.path, params)).secret;
  }

  rotate(wanted: Params = {}, by = this.consumer.owner): Promise<Answer<{ secret: string }>> {
    return by.post(`${this.path}/rotate`, wanted);
  }

  async deliveries(): Promise<readonly ShownDelivery[]> {
    const answer = await this.consumer.owner.get<{ deliveries: ShownDelivery[] }>(`${this.path}/deliveries`);
    return granted(answer).deliveries;
  }

  /** Sends what is due, at a later time. */
  async after(ms: number): Promise<void> {
    this.server.clock.advance(ms);
    await this.server.eventsPushed();
  }

  /** The events of a request, whose signature is verified as receivers do it. */
  verified({ body, headers }: WebhookRequest, secret = this.secret): readonly { readonly id: string }[] {
    const { now } = Date;
    Date.now = () => this.server.clock.now();
    try {
      const events = new Webhook(secret).verify(body, headers as Record<string, string>);
      return (Array.isArray(events) ? events : [events]) as { id: string }[];
    } finally {
      Date.now = now;
    }
  }
}

/** The ids of the events of requests, in their order. Does not verify them. */
export const sentIds = (requests: readonly WebhookRequest[]): string[] =>
  requests.flatMap(({ body }) => {
    const events = JSON.parse(body) as { id: string } | { id: string }[];
    return (Array.isArray(events) ? events : [events]).map(({ id }) => id);
  });
