import { HOUR_MS } from '@annals/kernel/domain';
import { reactivateOrganization } from '@annals/realm';
import { deliver, written } from '../../support/mail/lmtp';
import { Notes, draftOf } from '../../support/mail/notes';
import { outboxOf } from '../../support/mail/outbox';
import { granted } from '../../support/server/caller';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
beforeAll(
  async () =>
    (server = await startTestServer({
      env: { ...SERVER_ENV, ANNALS_LMTP_PORT: '0', ANNALS_MAIL_PATTERN: '%s@in.example.com' },
    })),
);
afterAll(() => server.close());

describe('what is due in a deactivated organization', () => {
  it('waits for the reactivation, and holds up nobody else', async () => {
    const [closed, open] = [await anotherOrganization(server, 'closed'), await anotherOrganization(server, 'open')];
    const at = Math.floor((server.clock.now() + HOUR_MS) / 1_000);
    const later = { type: 'channel', to: 1, topic: 'later', content: 'on time', scheduled_delivery_timestamp: at };
    for (const { owner } of [closed, open]) granted(await owner.post('/scheduled_messages', later));
    const notes = Notes.at(server);
    const { email } = granted(await closed.owner.get<{ email: string }>('/streams/1/email_address'));
    granted(await closed.owner.post('/realm/deactivate'));
    const posted = () => deliver(server.lmtpPort, [email], written({}));
    expect(await posted()).toEqual([expect.stringMatching(/^550 5\.1\.6/)]);
    server.clock.advance(HOUR_MS);
    await server.deliverDue();
    for (const { id } of [closed, open]) await notes.add({ [id]: draftOf({ to: `${id}@mail.example.com` }) }, id);
    const mailed = async () =>
      (await outboxOf(server)).filter(({ subject }) => subject === 'A note').map(({ to }) => to);
    expect(await mailed()).toEqual([`${open.id}@mail.example.com`]);
    const sent = async (id: number) =>
      (await server.kernel.events.page(id as never, 0, 1_000)).filter(({ type }) => type === 'messages.MessageSent');
    expect([await sent(closed.id), await sent(open.id)].map(({ length }) => length)).toEqual([0, 1]);
    await reactivateOrganization(server.kernel, closed.id);
    await server.deliverDue();
    expect(await sent(closed.id)).toHaveLength(1);
    expect(await mailed()).toHaveLength(2);
    expect(await posted()).toEqual(['250']);
  });
});
