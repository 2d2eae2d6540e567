import { describeEvent, possessive, thing } from '@annals/kernel';
import { DirectoryAccountSuspended, DirectoryPictureTaken } from '../domain/ldap/directory-account-events';

const pictureTaken = describeEvent(DirectoryPictureTaken, {
  meaning: 'An account got the picture of its entry in a directory (LDAP).',
  commands: ['DirectoryJoining', 'DirectorySync'],
  sentence: (event) => [
    'took ',
    ...possessive(event, event.data.userId),
    ` picture from the directory ${event.data.directory}`,
  ],
});

const suspended = describeEvent(DirectoryAccountSuspended, {
  meaning: 'An account was deactivated because its entry in a directory (LDAP) is disabled or missing.',
  commands: ['DirectorySync'],
  sentence: ({ data: { userId, directory, reason } }) => [
    'found the account of ',
    thing.user(userId),
    reason === 'disabled' ? ` disabled in the directory ${directory}` : ` missing from the directory ${directory}`,
  ],
});

/** What the audit trail says about accounts of a directory. */
export const directoryAccountDescriptions = [pictureTaken, suspended];
