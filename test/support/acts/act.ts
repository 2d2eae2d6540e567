import fc from 'fast-check';
import type { World } from './world';

/** A random act; one that is refused when it is run is left out. */
export interface Wish {
  fulfil(world: World): Promise<unknown>;
}

/** Acts of one kind, as `fc.oneof` accepts them. */
export interface Act {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Wish>;
}

/**
 * @param name what a counterexample says of it
 * @param weight how often it happens, compared with other acts
 * @param details what chance decides: people, channels and groups by number, see `World`
 */
export function act<Details>(
  name: string,
  weight: number,
  details: fc.Arbitrary<Details>,
  fulfil: (world: World, details: Details) => Promise<unknown>,
): Act {
  const wish = (chosen: Details) => ({
    fulfil: (world: World) => fulfil(world, chosen),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(chosen)}`,
  });
  return { weight, arbitrary: details.map(wish) };
}
