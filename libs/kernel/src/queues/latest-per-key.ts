import { setTimeout as delay } from 'node:timers/promises';

interface Waiting {
  position: number;
  readonly sent: Promise<boolean>;
}

/**
 * Sends the highest position of each key, one send per key at a time. Positions that arrive during a send, or in the
 * pause after it, are merged into the next send. So a busy realm costs a few sends a second.
 */
export class LatestPerKey {
  private readonly waiting = new Map<string, Waiting>();
  private readonly sending = new Map<string, Promise<void>>();

  /** @param pauseMs shortest time between the end of a send and the next of its key, in milliseconds */
  constructor(private readonly pauseMs: number) {}

  /** @returns the result of the send that carried this position, or a higher one */
  offer(key: string, position: number, send: (position: number) => Promise<boolean>): Promise<boolean> {
    const known = this.waiting.get(key);
    if (known) {
      known.position = Math.max(known.position, position);
      return known.sent;
    }
    const waiting: Waiting = { position, sent: this.whenFree(key).then(() => this.send(key, waiting, send)) };
    this.waiting.set(key, waiting);
    return waiting.sent;
  }

  private async whenFree(key: string): Promise<void> {
    await this.sending.get(key);
  }

  private async send(key: string, waiting: Waiting, send: (position: number) => Promise<boolean>): Promise<boolean> {
    this.waiting.delete(key);
    const sending = send(waiting.position);
    const free = sending
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => delay(this.pauseMs, undefined, { ref: false }))
      .then(() => {
        if (this.sending.get(key) === free) this.sending.delete(key);
      });
    this.sending.set(key, free);
    return sending;
  }
}
