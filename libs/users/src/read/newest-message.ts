import type { Actor } from '@annals/kernel/domain';

/** Tells the newest message of an account; a context that knows messages provides it. */
export abstract class NewestMessage {
  /** @returns the id of the newest message the account received, -1 when there is none */
  abstract receivedBy(actor: Actor): Promise<number>;
}
