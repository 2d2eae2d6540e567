import type { Row, RowChanges } from '@annals/kernel';
import { defineProjection, increment, on } from '@annals/kernel';
import type { Instant, Recorded } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { Deactivated } from '@annals/users';
import type { InvitationId, LinkCreated as Created, PersonInvited as Invited } from '../domain/events';
import {
  InvitationAccepted,
  InvitationEnded,
  InvitationResent,
  InvitationRevoked,
  LinkCreated,
  LinkUsed,
  PersonInvited,
} from '../domain/events';

/** The day of a moment, counted from the epoch. Mails with invitations are limited by the day. */
export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

/** The invitations that have not ended, how many mails were sent by day, and who joined by which invitation. */
export const invitationsView = defineProjection({
  name: 'invitations',
  version: 1,
  lifecycle: 'inline',
  tables: {
    invitations: {
      columns: {
        invitation_id: 'int8',
        inviter_id: 'int8',
        is_link: 'bool',
        /** Null for a link. */
        email: 'text',
        email_key: 'text',
        role: 'int4',
        notifies_inviter: 'bool',
        invited_at: 'int8',
        /** Null if it does not expire. */
        expires_at: 'int8',
        /** False once its inviter was deactivated, also after a reactivation. */
        is_usable: 'bool',
      },
      key: ['invitation_id'],
      indexes: [{ on: ['inviter_id'] }, { on: ['email_key'] }, { on: ['expires_at'] }],
      sealed: ['email', 'email_key'],
    },
    invitation_days: {
      columns: { day: 'int4', sent: 'int4' },
      key: ['day'],
      changesOften: true,
    },
    invitation_joins: {
      columns: { user_id: 'int8', invitation_id: 'int8' },
      key: ['user_id'],
    },
  },
  handlers: [
    on(PersonInvited, (event, rows) => {
      const { data, sealed, at } = event;
      const email = sealed === 'erased' ? null : sealed.email;
      const address = { email, email_key: email?.toLowerCase() ?? null };
      rows.insert('invitations', { ...begun(event), ...address, notifies_inviter: data.notifiesInviter });
      counted(rows, at);
    }),
    on(LinkCreated, (event, rows) =>
      rows.insert('invitations', { ...begun(event), email: null, email_key: null, notifies_inviter: false }),
    ),
    on(InvitationResent, ({ at }, rows) => counted(rows, at)),
    on(InvitationRevoked, ({ data }, rows) => ended(rows, data)),
    on(InvitationEnded, ({ data }, rows) => ended(rows, data)),
    on(InvitationAccepted, ({ data }, rows) => {
      ended(rows, data);
      joined(rows, data);
    }),
    on(LinkUsed, ({ data }, rows) => joined(rows, data)),
    on(Deactivated, ({ data }, rows) => rows.update('invitations', { inviter_id: data.userId }, { is_usable: false })),
  ],
});

const begun = (event: Recorded<Invited> | Recorded<Created>): Row => ({
  invitation_id: event.data.invitationId,
  inviter_id: event.data.inviterId,
  is_link: event.type === 'invitations.LinkCreated',
  role: event.data.role,
  invited_at: event.at,
  expires_at: event.data.expiresAt,
  is_usable: true,
});

interface OfInvitation {
  readonly invitationId: InvitationId;
}

const ended = (rows: RowChanges, { invitationId }: OfInvitation): void =>
  rows.delete('invitations', { invitation_id: invitationId });

const joined = (rows: RowChanges, { invitationId, userId }: OfInvitation & { readonly userId: number }): void =>
  rows.insert('invitation_joins', { user_id: userId, invitation_id: invitationId });

function counted(rows: RowChanges, at: Instant): void {
  const day = dayOf(at);
  rows.insert('invitation_days', { day, sent: 0 });
  rows.update('invitation_days', { day }, { sent: increment(1) });
}
