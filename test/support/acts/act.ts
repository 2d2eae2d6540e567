import fc from 'fast-check';
import type { World } from './world';

/** A random act; one that is refused when it is run is left out. */
export interface RandomAct {
  run(world: World): Promise<unknown>;
}

/** Acts of one kind, as `fc.oneof` accepts them. */
export interface Act {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<RandomAct>;
}

/**
 * @param name for counterexamples
 * @param weight how often it happens, compared with other acts
 * @param details the random part: people, channels and groups by number, see `World`
 */
export function act<Details>(
  name: string,
  weight: number,
  details: fc.Arbitrary<Details>,
  run: (world: World, details: Details) => Promise<unknown>,
): Act {
  const actOf = (chosen: Details) => ({
    run: (world: World) => run(world, chosen),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(chosen)}`,
  });
  return { weight, arbitrary: details.map(actOf) };
}
