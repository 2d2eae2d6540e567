import { lastUsed } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

/** Queues of which this process remembers what they have heard. */
const MAX_REMEMBERED = 100_000;

/** What the poll of a queue has heard of signals, each of which has a turn: 1, 2, 3 … in this process. */
export interface Hearing {
  /** The id its client came with. */
  readonly asked: number;
  /** Signals up to this turn are not for this poll. */
  readonly from: number;
  /** Nor are those that were sent until then, however late they arrive: its client may have heard them elsewhere. */
  readonly since: number;
  /** Up to this turn the queue has been given what is for it. */
  heard: number;
  /** The id its client was answered last; `asked` before that. */
  handed: number;
}

/** A poll that begins. */
export interface Beginning {
  readonly queueId: string;
  /** The id its client comes with. */
  readonly asked: number;
  /** When its queue was registered, as long as its client has got nothing since then, here or elsewhere; then null. */
  readonly freshSince: Instant | null;
  readonly at: Instant;
}

/**
 * Which signals a queue still has to hear, when it polls again in this process. A client that comes with the last id it
 * was answered here has got it; one that comes with the id it asked with has not, and is told again. One that comes with
 * any other id was answered elsewhere meanwhile: it is told what is sent from now on, so it hears nothing twice. One that
 * has got nothing anywhere is told what was sent since it registered.
 */
export class Hearings {
  private readonly last = lastUsed<Hearing>(MAX_REMEMBERED);

  /** @param signals those of this process; `turn` is that of the newest one */
  constructor(private readonly signals: { readonly turn: number }) {}

  begin(poll: Beginning): Hearing {
    const { from, since } = this.goesOnFrom(poll);
    return this.note(poll.queueId, poll.asked, from, since);
  }

  /**
   * A queue is being registered here. What arrives from now on is for its first poll in this process, whatever the
   * clocks of those who send it say.
   *
   * @returns to be called once the queue has its id and the one that it begins with
   */
  opening(): (queueId: string, asked: number) => void {
    const { turn } = this.signals;
    return (queueId, asked) => void this.note(queueId, asked, turn, 0);
  }

  /** The queue is polled elsewhere. */
  forget(queueId: string): void {
    this.last.delete(queueId);
  }

  private goesOnFrom({ queueId, asked, freshSince, at }: Beginning): Pick<Hearing, 'from' | 'since'> {
    const last = this.last.get(queueId);
    if (last?.handed === asked) return { from: last.heard, since: last.since };
    if (last?.asked === asked) return last;
    return freshSince === null ? { from: this.signals.turn, since: at } : { from: 0, since: freshSince };
  }

  private note(queueId: string, asked: number, from: number, since: number): Hearing {
    const hearing = { asked, from, since, heard: from, handed: asked };
    this.last.set(queueId, hearing);
    return hearing;
  }
}
