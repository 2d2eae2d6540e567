import type { Aggregate, Fact, Instant, Metadata, Position, RealmId, Recorded } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';

/** A stored event of a test, somewhere in the log of realm 1. */
export function recorded<F extends Fact>(fact: F, metadata: Partial<Metadata> = {}): Recorded<F> {
  return {
    realmId: 1 as RealmId,
    position: 1 as Position,
    stream: 'test-1',
    version: 1,
    at: Date.UTC(2026, 0, 1) as Instant,
    actorId: null,
    commandId: '00000000-0000-4000-8000-000000000000',
    correlation: '00000000-0000-4000-8000-000000000001',
    causation: null,
    client: 'test',
    ...metadata,
    ...fact,
  } as unknown as Recorded<F>;
}

/** The state of an aggregate after these events. Specs of decisions use it for "given". */
export const given = <State, Event extends Fact>(
  aggregate: Pick<Aggregate<State, Event>, 'initial' | 'evolve'>,
  ...facts: readonly Event[]
): State =>
  fold(
    aggregate,
    facts.map((fact, n) => recorded(fact, { position: (n + 1) as Position, version: n + 1 })),
  );
