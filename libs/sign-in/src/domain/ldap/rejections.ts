import { rejection } from '@annals/kernel/domain';

export const reject = {
  directoryAway: rejection(
    'DIRECTORY_UNAVAILABLE',
    'The directory of this organization cannot be reached. Please try again later.',
    { onPages: 'directoryAway' },
  ),
  entryUnusable: rejection(
    'AUTHENTICATION_FAILED',
    'Your entry in the directory of this organization cannot be used. Please ask an administrator.',
    { onPages: 'unusableEntry' },
  ),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated', { onPages: 'deactivated' }),
  emailLooksAlike: rejection(
    'AUTHENTICATION_FAILED',
    'Your email in the directory of this organization only looks like that of an account.',
    { onPages: 'lookalikeAddress' },
  ),
  otherEntry: rejection(
    'AUTHENTICATION_FAILED',
    'The account with your email belongs to somebody else in the directory of this organization.',
    { onPages: 'otherEntry' },
  ),
};
