import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

const aboutUser = ({ userId: user }: { readonly userId: number }) => [['user', user] as const];

/** Stream `mail-address-{user}`, like the next: mails to the address of an account come back. It gets no notifications. */
export const AddressBounced = defineEvent('mail.AddressBounced', {
  data: t.Object({
    userId,
    /** The status of RFC 3463, such as `5.1.1`. */
    status: t.String({ pattern: '^5\\.[0-9]{1,3}\\.[0-9]{1,3}$' }),
  }),
  subjects: aboutUser,
});
export type AddressBounced = FactOf<typeof AddressBounced>;

/** The owner of the account has received a mail at the address after all. */
export const AddressConfirmed = defineEvent('mail.AddressConfirmed', {
  data: t.Object({ userId }),
  subjects: aboutUser,
});
export type AddressConfirmed = FactOf<typeof AddressConfirmed>;
