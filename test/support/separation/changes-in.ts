import { quiet } from './quiet';
import type { State } from './state';
import { changes, stateOf } from './state';
import type { Twin } from './twin';

/** What an act changes in an organization, with all its consequences: tables with other rows, and files. Empty if nothing. */
export async function changesIn({ server, id }: Twin, act: () => Promise<unknown>): Promise<State> {
  await quiet(server);
  const before = await stateOf(server, id);
  await act();
  await quiet(server);
  return changes(before, await stateOf(server, id));
}
