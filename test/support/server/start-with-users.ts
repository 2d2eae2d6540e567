import { systemGroups } from '../requests/groups';
import type { Person } from './organization';
import type { ServerOptions, TestServer } from './server';
import { startTestServer } from './server';

/** A server with one user of each role that rules distinguish, and a second member. */
export interface ServerWithUsers {
  readonly server: TestServer;
  readonly owner: Person;
  /** Ada. */
  readonly administrator: Person;
  /** Mia. */
  readonly member: Person;
  /** Otto, another member. */
  readonly other: Person;
  /** Gus. */
  readonly guest: Person;
  /** Ids of the system groups by their names without `role:`. */
  readonly groups: Readonly<Record<string, number>>;
}

export async function startWithUsers(options: ServerOptions = {}): Promise<ServerWithUsers> {
  const server = await startTestServer(options);
  return {
    server,
    owner: server.owner,
    administrator: await server.person({ role: 'administrator', name: 'Ada' }),
    member: await server.person({ name: 'Mia' }),
    other: await server.person({ name: 'Otto' }),
    guest: await server.person({ role: 'guest', name: 'Gus' }),
    groups: await systemGroups(server.owner),
  };
}
