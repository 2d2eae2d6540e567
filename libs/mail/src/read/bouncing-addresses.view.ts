import { defineProjection, on } from '@annals/kernel';
import { AddressChanged, PasswordReset, ProfileDeleted } from '@annals/users';
import { AddressBounced, AddressConfirmed } from '../domain/events';

const TABLE = 'bouncing_addresses';

/** Accounts whose mails come back, and since when. */
export const bouncingAddressesView = defineProjection({
  name: TABLE,
  version: 1,
  lifecycle: 'inline',
  tables: { [TABLE]: { columns: { user_id: 'int4', since: 'int8' }, key: ['user_id'] } },
  handlers: [
    on(AddressBounced, ({ data: { userId }, at }, rows) => rows.insert(TABLE, { user_id: userId, since: at })),
    on(AddressConfirmed, ({ data: { userId } }, rows) => rows.delete(TABLE, { user_id: userId })),
    on(AddressChanged, ({ data: { userId } }, rows) => rows.delete(TABLE, { user_id: userId })),
    // By the link of a mail.
    on(PasswordReset, ({ data: { userId } }, rows) => rows.delete(TABLE, { user_id: userId })),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete(TABLE, { user_id: userId })),
  ],
});
