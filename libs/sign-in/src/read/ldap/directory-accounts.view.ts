import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted, Reactivated } from '@annals/users';
import { DirectoryAccountSuspended, DirectoryPictureTaken } from '../../domain/ldap/directory-account-events';

/** What accounts have of their entries in a directory. The entry itself is among the identities. */
export const directoryAccountsView = defineProjection({
  name: 'directory_accounts',
  version: 1,
  lifecycle: 'inline',
  tables: {
    directory_accounts: {
      columns: {
        user_id: 'int8',
        /** Of the picture that was last taken from the directory. Null if none was. */
        picture_digest: 'text',
        /** The directory deactivated the account, and nobody reactivated it since. Null counts as false. */
        is_suspended: 'bool',
      },
      key: ['user_id'],
      sealed: ['picture_digest'],
    },
  },
  handlers: [
    on(DirectoryPictureTaken, ({ data: { userId }, sealed }, rows) => {
      const picture_digest = sealed === 'erased' ? null : sealed.digest;
      rows.upsert('directory_accounts', { user_id: userId, picture_digest });
    }),
    on(DirectoryAccountSuspended, ({ data: { userId } }, rows) => {
      rows.upsert('directory_accounts', { user_id: userId, is_suspended: true });
    }),
    on(Reactivated, ({ data: { userId } }, rows) => {
      rows.update('directory_accounts', { user_id: userId }, { is_suspended: false });
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('directory_accounts', { user_id: userId })),
  ],
});
