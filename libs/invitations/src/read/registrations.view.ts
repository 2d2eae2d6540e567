import { defineProjection, on } from '@annals/kernel';
import { RegistrationCompleted, RegistrationExpired, RegistrationRequested } from '../domain/events';

/** The addresses whose owners have asked to join, and have not joined yet. */
export const registrationsView = defineProjection({
  name: 'registrations',
  version: 1,
  lifecycle: 'inline',
  tables: {
    registrations: {
      columns: {
        registration_id: 'int8',
        email_key: 'text',
        /** The link that they used. Null where everybody may join. */
        invitation_id: 'int8',
        expires_at: 'int8',
      },
      key: ['registration_id'],
      indexes: [{ on: ['email_key'] }, { on: ['expires_at'] }],
      sealed: ['email_key'],
    },
  },
  handlers: [
    on(RegistrationRequested, ({ data, sealed }, rows) =>
      rows.insert('registrations', {
        registration_id: data.registrationId,
        email_key: sealed === 'erased' ? null : sealed.email.toLowerCase(),
        invitation_id: data.invitationId,
        expires_at: data.expiresAt,
      }),
    ),
    on(RegistrationCompleted, ({ data }, rows) =>
      rows.delete('registrations', { registration_id: data.registrationId }),
    ),
    on(RegistrationExpired, ({ data }, rows) => rows.delete('registrations', { registration_id: data.registrationId })),
  ],
});
