import type { Actor } from '@annals/kernel/domain';
import type { RegisterBlock, RegisterOptions, RegisterSnapshot } from '@annals/kernel';
import { EMPTY_BLOCKS } from './empty-blocks';

/**
 * The state that a client begins with: one block per fetch key, all from one snapshot.
 *
 * @param wants tells of each fetch key whether the client asked for it
 */
export async function readState(
  blocks: readonly RegisterBlock[],
  snapshot: RegisterSnapshot,
  by: Actor,
  options: Omit<RegisterOptions, 'keys'>,
  wants: (key: string) => boolean,
): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  const owned = new Set(blocks.flatMap(({ keys }) => keys));
  for (const [key, empty] of Object.entries(EMPTY_BLOCKS)) {
    if (!owned.has(key) && wants(key)) Object.assign(state, empty(snapshot));
  }
  for (const block of blocks) {
    const keys = new Set(block.keys.filter(wants));
    if (keys.size > 0) Object.assign(state, await block.read(snapshot, by, { ...options, keys }));
  }
  return state;
}
