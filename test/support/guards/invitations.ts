import type { InvitationId } from '@annals/invitations';
import { InvitationResent } from '@annals/invitations';
import type { UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { bySystem } from '../server/system';
import type { Caller } from '../server/caller';
import type { ProcessServer } from '../processes/processes';
import type { Races } from './stage';

/** Mails that an organization may send in a day. */
const PER_DAY = 1_000;

/** Races for invitations. */
export const invitationRaces = (server: ProcessServer): Races => ({
  'invitation-room': async () => {
    const resent = fact(InvitationResent, { invitationId: 1_000_000 as InvitationId, inviterId: 1 as UserId });
    await bySystem(server.kernel, (work) => work.append('invitation-1000000', Array(PER_DAY - 1).fill(resent)));
    const invite = (by: Caller, name: string) =>
      by.post('/invites', { invitee_emails: `${name}@example.com`, stream_ids: [] });
    const [here, there] = server.sides(server.owner);
    return {
      acts: [() => invite(here, 'first'), () => invite(there, 'second')],
      second: { status: 400, body: { code: 'INVITATION_FAILED', daily_limit_reached: true } },
      look: async () => {
        const { rows } = await server.kernel.database.pool.query(
          `SELECT email FROM view.invitations WHERE email IN ('first@example.com', 'second@example.com')`,
        );
        expect(rows).toHaveLength(1);
      },
    };
  },
});
