import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import { AddressBounced, AddressConfirmed } from '../domain/events';

const bounced = describeEvent(AddressBounced, {
  meaning: 'A mail to the address of an account came back for good. The account gets no notifications by mail.',
  commands: ['AddressBounces'],
  sentence: ({ data: { userId, status } }) => [
    'recorded that mail to the address of ',
    thing.user(userId),
    ` came back (${status})`,
  ],
});

const confirmed = describeEvent(AddressConfirmed, {
  meaning: 'The owner of an account received mail at an address from which mails had come back.',
  commands: ['AddressBounces'],
  sentence: ({ data: { userId } }) => ['recorded that mail to the address of ', thing.user(userId), ' arrives again'],
});

export const addressDescriptions: readonly EventDescription[] = [bounced, confirmed];
