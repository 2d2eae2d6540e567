import type { RealmId } from '@annals/kernel/domain';
import type { Answer } from '../server/caller';
import { granted } from '../server/caller';
import type { ProcessServer } from '../processes/processes';
import type { Acts } from './race';

/** Two acts that cannot both be done. */
export interface Race {
  readonly acts: Acts;
  /** The organization of each act. Left out: both are of the first one. */
  readonly realms?: readonly RealmId[];
  /** The answer of the second act. */
  readonly second: { readonly status: number; readonly body: object };
  /** Asserts that exactly one of the two was done. */
  readonly look: () => Promise<void>;
}

/** For each guard two conflicting requests, each on an API process of its own. */
export type Races = Readonly<Record<string, () => Promise<Race>>>;

export const bad = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

/** The answer to a request that replaces a command of the system. */
export const done = (): Answer => ({ status: 200, body: { result: 'success', msg: '' }, headers: new Headers() });

/** A message of the owner's. */
export async function message({ owner }: ProcessServer, to: number, topic: string): Promise<number> {
  const input = { type: 'channel', to, topic, content: 'first' };
  return granted(await owner.post<{ id: number }>('/messages', input)).id;
}
