import { defineContext } from '@annals/kernel';
import { addressDescriptions } from './audit/address.audit';
import { AddressBounced, AddressConfirmed } from './domain/events';
import { MAIL_QUEUE } from './jobs/mail-outbox';
import { oldestDueMail } from './jobs/mail-tasks';
import { countParkedMail } from './jobs/parked-mail';
import { bouncingAddressesView } from './read/bouncing-addresses.view';
import { forgetTasksAhead, mailMigrations } from './schema';

export const mailContext = defineContext({
  name: 'mail',
  events: [AddressBounced, AddressConfirmed],
  descriptions: addressDescriptions,
  projections: [bouncingAddressesView],
  migrations: mailMigrations,
  queues: [
    {
      name: MAIL_QUEUE,
      oldestDue: oldestDueMail,
      deadLetters: { count: countParkedMail, listedBy: 'annals mail list' },
    },
  ],
  restored: forgetTasksAhead,
});
