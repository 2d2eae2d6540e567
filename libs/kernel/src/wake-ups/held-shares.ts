import type { Share } from './notice';
import type { WakeUpListener, WakeUps } from './wake-ups';

/** Listens, for a follower of the log, to the shares of the realms that it holds, and to no others. */
export class HeldShares {
  private readonly ends = new Map<Share, () => void>();

  constructor(
    private readonly wakeUps: Pick<WakeUps, 'subscribe' | 'listening'>,
    private readonly on: { readonly log: WakeUpListener; readonly urgent: WakeUpListener },
  ) {}

  /** Listens to these from now on. Resolves, within seconds, when notices of the new ones arrive here. */
  async hold(shares: readonly Share[]): Promise<void> {
    for (const [share, end] of this.ends) {
      if (shares.includes(share)) continue;
      end();
      this.ends.delete(share);
    }
    const fresh = shares.filter((share) => !this.ends.has(share));
    for (const share of fresh) {
      const ends = (['log', 'urgent'] as const).map((topic) => this.wakeUps.subscribe(topic, share, this.on[topic]));
      this.ends.set(share, () => {
        for (const end of ends) end();
      });
    }
    await Promise.all(fresh.map((share) => this.wakeUps.listening(share)));
  }
}
