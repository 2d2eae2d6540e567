import type { Kernel } from '@annals/kernel';

/**
 * `annals resume`: makes a parked follower try its event again. The worker does so within a second.
 *
 * @returns 0, or 1 when it is not parked
 * @throws Error when there is no such follower
 */
export async function resume(
  kernel: Kernel,
  follower: string,
  realm: number | undefined,
  print: (line: string) => void,
): Promise<number> {
  const known = [...(await kernel.store.rows()).keys()];
  if (!known.includes(follower)) throw new Error(`There is no follower ${follower}; there are ${known.join(', ')}.`);
  const parked = (await kernel.store.parked()).filter(
    ({ projection, realmId }) => projection === follower && (realm === undefined || realmId === realm),
  );
  let resumed = 0;
  for (const { realmId, position } of parked) {
    if (!(await kernel.store.resume(follower, realmId))) continue;
    print(`${follower}, realm ${realmId}: continues at position ${position}`);
    resumed++;
  }
  if (resumed === 0) print(`${follower} is not parked${realm === undefined ? '' : ` in realm ${realm}`}.`);
  return resumed > 0 ? 0 : 1;
}
