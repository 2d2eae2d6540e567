import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import { IdentityLinked, IdentityUnlinked } from '../../domain/single-sign-on/identity-events';

/** Identities at providers that log accounts in. */
export const identitiesView = defineProjection({
  name: 'sign_in_identities',
  version: 1,
  lifecycle: 'inline',
  tables: {
    sign_in_identities: {
      columns: {
        user_id: 'int8',
        issuer: 'text',
        /** Null once it was erased. */
        subject: 'text',
        linked_at: 'int8',
      },
      key: ['user_id', 'issuer'],
      indexes: [{ on: ['issuer', 'subject'] }],
      sealed: ['subject'],
    },
  },
  handlers: [
    on(IdentityLinked, ({ at, data: { userId, issuer }, sealed }, rows) =>
      rows.insert('sign_in_identities', {
        user_id: userId,
        issuer,
        subject: sealed === 'erased' ? null : sealed.subject,
        linked_at: at,
      }),
    ),
    on(IdentityUnlinked, ({ data: { userId, issuer } }, rows) =>
      rows.delete('sign_in_identities', { user_id: userId, issuer }),
    ),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('sign_in_identities', { user_id: userId })),
  ],
});
