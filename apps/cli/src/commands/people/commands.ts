import type { Kernel } from '@annals/kernel';
import { endTwoFactorsFor } from '@annals/users';
import type { Command } from 'commander';
import type { Settings } from '../../../../shared/src/settings';
import type { Named } from '../organizations/named';
import { realmNamed } from '../organizations/named';

/** An account, as the operator names it. */
interface NamedAccount {
  readonly email: string;
  /** Left out: the first one. */
  readonly organization?: string | undefined;
}

interface CommandTools {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly print: (line: string) => void;
}

/**
 * `annals people end-two-factors`: for somebody who has lost the app and all recovery codes.
 *
 * @returns 0, or 1 when no account has this email
 * @throws Error when there is no such organization, or logins to the account need no code
 */
async function endTwoFactors(
  { print, ...opened }: Pick<Named, 'kernel' | 'settings' | 'print'>,
  { email, organization }: NamedAccount,
): Promise<number> {
  const userId = await endTwoFactorsFor(opened.kernel, await realmNamed(opened, organization), email);
  print(userId ? `The password of ${email} is enough to log in again.` : `No account has the email address ${email}.`);
  return userId ? 0 : 1;
}

/** Adds `annals people …`. */
export function addPeopleCommands(program: Command, { withKernel, print }: CommandTools): void {
  program
    .command('people')
    .description('the people of an organization')
    .command('end-two-factors')
    .description('let somebody log in with the password alone who has lost the app and all recovery codes')
    .argument('<email>', 'address of the account')
    .option('--organization <name>', 'the organization; default: the first one')
    .action((email: string, { organization }: { organization?: string }) =>
      withKernel((kernel, settings) => endTwoFactors({ kernel, settings, print }, { email, organization })),
    );
}
