import type { Recorded } from '../event';

/** The states of an aggregate at ascending positions. Each event is folded once, however many positions are asked for. */
export class ForwardFold<State> {
  private state: State;
  private folded = 0;
  private reached = 0;

  /** @param history the events of the aggregate's stream, as the log returns them */
  constructor(
    private readonly aggregate: { readonly initial: State; evolve(state: State, event: never): State },
    private readonly history: readonly Recorded[],
  ) {
    this.state = aggregate.initial;
  }

  /**
   * The state right before the event at a position.
   *
   * @throws Error for a position before one that was asked for earlier
   */
  before(position: number): State {
    if (position < this.reached) throw new Error(`the state before ${position} is past; ${this.reached} was reached`);
    this.reached = position;
    for (; (this.history[this.folded]?.position ?? Infinity) < position; this.folded += 1) {
      this.state = this.aggregate.evolve(this.state, this.history[this.folded] as never);
    }
    return this.state;
  }
}
