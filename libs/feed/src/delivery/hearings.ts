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
  /** Whether its client has got nothing yet since it registered, here or elsewhere. */
  readonly isFresh: boolean;
  readonly at: Instant;
}

/**
 * Which signals a queue still has to hear, when it polls again in this process. A client that comes with the last id it
 * was answered here has got it; one that comes with the id it asked with has not, and is told again. One that comes with
 * any other id was answered elsewhere meanwhile: it is told what is sent from now on, so it hears nothing twice.
 */
export class Hearings {
  private readonly last = lastUsed<Hearing>(MAX_REMEMBERED);
  private turns = 0;

  /** A turn for the next signal, of whichever realm. */
  nextTurn(): number {
    return ++this.turns;
  }

  begin(poll: Beginning): Hearing {
    const { queueId, asked } = poll;
    const { from, since } = this.goesOnFrom(poll);
    const hearing = { asked, from, since, heard: from, handed: asked };
    this.last.set(queueId, hearing);
    return hearing;
  }

  /** The queue is polled elsewhere. */
  forget(queueId: string): void {
    this.last.delete(queueId);
  }

  private goesOnFrom({ queueId, asked, isFresh, at }: Beginning): Pick<Hearing, 'from' | 'since'> {
    const last = this.last.get(queueId);
    if (last?.handed === asked) return { from: last.heard, since: last.since };
    if (last?.asked === asked) return last;
    return { from: this.turns, since: isFresh ? 0 : at };
  }
}
