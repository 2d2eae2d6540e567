import { counted, describeEvent } from '@annals/kernel';
import type { RunCounts } from '../domain/ldap/events';
import { DirectorySynchronized, RUN_COUNTS } from '../domain/ldap/events';

const PHRASES: Readonly<Record<keyof RunCounts, (count: number) => string>> = {
  linked: (n) => `${counted(n, 'account')} linked`,
  suspended: (n) => `${n} deactivated`,
  restored: (n) => `${n} reactivated`,
  renamed: (n) => `${n} renamed`,
  rolesChanged: (n) => counted(n, 'role'),
  membershipsChanged: (n) => counted(n, 'group membership'),
  profilesChanged: (n) => counted(n, 'profile'),
  picturesTaken: (n) => counted(n, 'picture'),
  problems: (n) => counted(n, 'problem'),
};

/** "2 renamed, 1 role, 3 pictures". Empty if the run did nothing. */
export const countsText = (counts: RunCounts): string =>
  RUN_COUNTS.filter((name) => counts[name] > 0)
    .map((name) => PHRASES[name](counts[name]))
    .join(', ');

const synchronized = describeEvent(DirectorySynchronized, {
  meaning: 'Accounts were made to follow a directory (LDAP), and something changed.',
  commands: ['DirectorySync'],
  sentence: ({ data: { directory, counts } }) => [
    `synchronized accounts with the directory ${directory}: ${countsText(counts)}`,
  ],
});

/** What the audit trail says about runs that follow a directory. */
export const directoryDescriptions = [synchronized];
