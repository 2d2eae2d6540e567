import { OFFLINE_MS } from '@annals/presence';
import { Presences } from '../../../libs/presence/src/application/presences';
import { ping } from '../../support/requests/presence';
import { idOf, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { PushServer } from '../../support/push/push';
import { pushOutboxEmpty, registeredPhone, startWithPush } from '../../support/push/push';

let pushed: PushServer;
beforeAll(async () => (pushed = await startWithPush()));
afterAll(() => pushed.close());

it('an active user who does not want it gets no notifications while online', async () => {
  const { server, bouncer } = pushed;
  const [ann, bob] = [await server.person(), await server.person()];
  const { phone } = await registeredPhone(server, bouncer, bob);
  const isActive = async () => {
    granted(await ping(bob));
    for (const { app } of server.apis) await app.get(Presences).write();
  };
  const wants = async (settings: Readonly<Record<string, boolean>>) => granted(await bob.patch('/settings', settings));
  /** Sends a message. @returns whether the phone rings */
  const rings = async (content: string) => {
    const id = await idOf(sendDirect(ann, [bob.id], { content }));
    await server.settled();
    await pushOutboxEmpty(server.kernel);
    return bouncer.notified.calls.some(([one]) => one.phone === phone.token && one.text['message_id'] === id);
  };
  await isActive();
  expect(await rings('while online, which is wanted by default')).toBe(true);
  await wants({ enable_online_push_notifications: false });
  expect(await rings('while online')).toBe(false);
  server.clock.advance(OFFLINE_MS + 1);
  expect(await rings('while offline')).toBe(true);
  await isActive();
  expect(await rings('online again')).toBe(false);
  await wants({ presence_enabled: false });
  expect(await rings('online, and hides it')).toBe(true);
});
