import type { Instant } from '@annals/kernel/domain';

/** A parameter of the URL that an integration has beside `stream`, `topic` and the choice of events. */
export interface UrlOption {
  readonly name: string;
  /** For the form in which a user makes the URL. */
  readonly label: string;
  readonly kind: 'text' | 'flag';
}

/** What another system sent, and what the URL says about it. */
export interface IncomingDelivery {
  /** The payload, parsed and unchecked. */
  readonly payload: unknown;
  /** A header of the request, by its name in any letter case. */
  readonly header: (name: string) => string | undefined;
  /** The integration's own options that the URL has. */
  readonly options: Readonly<Record<string, string | boolean>>;
  /** The URL names a topic, so the one of the message is not used. */
  readonly hasTopic: boolean;
  readonly at: Instant;
}

/** A message about an event of another system. */
export interface EventMessage {
  readonly topic: string;
  readonly content: string;
  /** The event type by which the URL includes and excludes events. Left out if the integration has none. */
  readonly event?: string;
}

/** What a delivery says: messages, perhaps none, or the type of an event that the integration does not know. */
export type TranslatedDelivery = readonly EventMessage[] | { readonly unsupported: string };

/** One row of the table of integrations. */
export interface Integration {
  /** Last part of the URL. */
  readonly name: string;
  readonly displayName: string;
  /** The name in texts about its deliveries, and within the name of the client: `Zulip{caller}Webhook`. */
  readonly caller: string;
  /** The event types by which the URL can choose. Null if it cannot. */
  readonly eventTypes: readonly string[] | null;
  readonly options: readonly UrlOption[];
  /**
   * Makes messages of a delivery. It is pure.
   *
   * @throws Rejected for a payload that its sender cannot have made
   */
  readonly translate: (delivery: IncomingDelivery) => TranslatedDelivery;
  /** An id that the sender gives each delivery and repeats when it tries again. */
  readonly deliveryId?: (delivery: Pick<IncomingDelivery, 'payload' | 'header'>) => string | undefined;
  /** The delivery only asks whose key it is. */
  readonly asksForAccount?: (payload: unknown) => boolean;
  /** It answers like Slack, beside the usual fields. */
  readonly answersLikeSlack?: true;
  /** Its sender escapes the URL once more, so stream and topic are decoded twice. */
  readonly escapesTwice?: true;
}
