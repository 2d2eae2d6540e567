import { Join, RequestRegistration } from '@annals/invitations';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { CommandBus } from '@nestjs/cqrs';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';
import { latestToken } from '../support/invitations/tokens';

const REALM = 1 as RealmId;
const ORIGIN = { client: 'website', correlation: '00000000-0000-4000-8000-000000000000', address: '192.0.2.7' };
const PASSWORD = 'a long enough password';

/** Somebody is invited and joins, another invitation is revoked, a third one expires. Somebody joins by a link. */
export async function peopleAreInvited(server: TestServer): Promise<void> {
  const { owner, apis } = server;
  const commands = apis[0]?.app.get(CommandBus, { strict: false });
  if (!commands) throw new Error('no api runs');
  const invite = (invitee_emails: string, more = {}) =>
    owner.post('/invites', { invitee_emails, stream_ids: [], ...more });
  const join = async (purpose: 'invitation' | 'registration', name: string) =>
    commands.execute(
      new Join({
        realmId: REALM,
        token: await latestToken(server, purpose),
        fullName: name,
        password: PASSWORD,
        channelGroups: [],
        origin: ORIGIN,
      }),
    );
  granted(await invite('Ina Invited <ina@example.com>', { welcome_message_custom_text: 'Hello Ina!' }));
  await join('invitation', 'Ina Invited');
  granted(await invite('late@example.com', { invite_expires_in_minutes: 60 }));
  const { invites } = granted(await owner.get<{ invites: { id: number }[] }>('/invites'));
  granted(await owner.post(`/invites/${invites[0]?.id}/resend`));
  granted(await invite('never@example.com', { invite_expires_in_minutes: null }));
  const { invites: both } = granted(await owner.get<{ invites: { id: number }[] }>('/invites'));
  granted(await owner.delete(`/invites/${both[1]?.id}`));
  granted(await owner.post('/invites/multiuse', { invite_as: 600, invite_expires_in_minutes: null }));
  const link = await latestToken(server, 'invitation');
  for (const email of ['nobody@example.com', 'lea@example.com'])
    await commands.execute(new RequestRegistration(REALM, email, link, ORIGIN));
  await join('registration', 'Lea Linked');
  server.clock.advance(2 * DAY_MS);
  await server.invitationsEnded();
}
