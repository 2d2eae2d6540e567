import type { Fact, Recorded } from './event';
import type { Position } from './ids';

/** The position of events of the running unit of work until they are stored. */
export const PENDING = Number.MAX_SAFE_INTEGER as Position;

/** The state that a rule needs, folded from one event stream. */
export interface Aggregate<State, Event extends Fact, Key extends string | number = string | number> {
  /** Name of the stream of this instance: `message-412`. */
  stream(key: Key): string;
  readonly initial: State;
  evolve(state: State, event: Recorded<Event>): State;
}

/** Declares an aggregate. Its streams are named `<name>-<key>`. */
export function defineAggregate<State, Event extends Fact, Key extends string | number = number>(
  name: string,
  initial: State,
  evolve: (state: State, event: Recorded<Event>) => State,
): Aggregate<State, Event, Key> {
  return { stream: (key) => `${name}-${key}`, initial, evolve };
}

/** Folds a history into a state. Specs use it for "given". */
export const fold = <State, Event extends Fact>(
  aggregate: Pick<Aggregate<State, Event>, 'initial' | 'evolve'>,
  history: readonly Recorded<Event>[],
): State => history.reduce((state, event) => aggregate.evolve(state, event), aggregate.initial);
