import type { Actor } from '@annals/kernel/domain';

/** The newest message of an account. A context that knows messages provides it. */
export abstract class NewestMessage {
  /** @returns the id of the newest message that the account received, -1 when there is none */
  abstract receivedBy(actor: Actor): Promise<number>;
}
