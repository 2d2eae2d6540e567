import type { SystemActor, Work } from '@annals/kernel';
import type { Answer, Caller } from '../caller';
import { granted } from '../caller';
import type { ProcessServer } from '../processes';
import type { Acts } from '../race';

/** Two acts that cannot both be done. */
export interface Race {
  readonly acts: Acts;
  /** What whoever came second is answered. */
  readonly second: { readonly status: number; readonly body: object };
  /** Looks that exactly one of the two was done. */
  readonly look: () => Promise<void>;
}

/** For guards two people who want the same thing, each on an api process of their own. */
export type Races = Readonly<Record<string, () => Promise<Race>>>;

/** One caller on each of the two processes. */
export const sides = (server: ProcessServer, caller: Caller) =>
  server.urls.map((url) => caller.at(url)) as [Caller, Caller];

export const bad = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

/** What a request would be answered that stands for an act of the system. */
export const done = (): Answer => ({ status: 200, body: { result: 'success', msg: '' }, headers: new Headers() });

export function bySystem({ kernel }: ProcessServer, act: (work: Work) => void | Promise<void>): Promise<void> {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const by = { realmId: 1, userId: null, origin } as SystemActor;
  return kernel.work.run(by, async (work) => act(work));
}

/** A message of the owner's. */
export async function message({ owner }: ProcessServer, to: number, topic: string): Promise<number> {
  const wish = { type: 'channel', to, topic, content: 'first' };
  return granted(await owner.post<{ id: number }>('/messages', wish)).id;
}
