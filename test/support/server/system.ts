import type { Kernel, SystemActor, Work } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';

const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
const system: SystemActor = { realmId: 1 as RealmId, userId: null, origin };

/** An act of the system in the organization of a server. */
export const bySystem = ({ work }: Pick<Kernel, 'work'>, act: (work: Work) => void | Promise<void>): Promise<void> =>
  work.run(system, async (open) => act(open));
