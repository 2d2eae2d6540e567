interface Waiting {
  position: number;
  readonly sent: Promise<boolean>;
}

/**
 * Sends the highest position of each key, one send per key at a time: what comes while one is under way is merged and
 * goes with the next, so a busy realm costs no more than one send per answer.
 */
export class LatestPerKey {
  private readonly waiting = new Map<string, Waiting>();
  private readonly sending = new Map<string, Promise<boolean>>();

  /** @returns what the send that carried this position, or a higher one, came to */
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
    await this.sending.get(key)?.catch(() => undefined);
  }

  private async send(key: string, waiting: Waiting, send: (position: number) => Promise<boolean>): Promise<boolean> {
    this.waiting.delete(key);
    const sending = send(waiting.position);
    this.sending.set(key, sending);
    try {
      return await sending;
    } finally {
      if (this.sending.get(key) === sending) this.sending.delete(key);
    }
  }
}
