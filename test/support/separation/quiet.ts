import { Presences } from '../../../libs/presence/src/application/presences';
import { pushOutboxEmpty } from '../push/push';
import type { TestServer } from '../server/server';

/** Resolves when nothing that was done so far has a consequence that is not stored yet. */
export async function quiet(server: TestServer): Promise<void> {
  await server.settled();
  for (const { app } of server.apis) await app.get(Presences).write();
  await server.botsReacted();
  await server.missedMailsMade();
  await pushOutboxEmpty(server.kernel);
  await server.mailsSent();
  await server.settled();
}
