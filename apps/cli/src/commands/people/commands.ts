import type { Kernel } from '@annals/kernel';
import { endTwoFactorsFor } from '@annals/users';
import type { Command } from 'commander';
import { Argument } from 'commander';
import { defaultAddressOf } from '../../../../shared/src/open-kernel';
import type { Settings } from '../../../../shared/src/settings';
import { realmNamed } from '../organizations/named';
import { PERMISSIONS, setPermission } from './grant';
import { importPeople } from './import-users';
import { issueNewKey } from './key';
import type { AccountChoice, OperatorRun } from './account-choice';

interface CommandTools {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly print: (line: string) => void;
}

interface OrganizationOption {
  readonly organization?: string;
}

/**
 * `annals people end-two-factors`: for somebody who has lost the app and all recovery codes.
 *
 * @returns 0, or 1 when no account has this email
 * @throws Error when there is no such organization, or logins to the account need no code
 */
async function endTwoFactors(
  { print, ...opened }: OperatorRun,
  { email, organization }: AccountChoice,
): Promise<number> {
  const userId = await endTwoFactorsFor(opened.kernel, await realmNamed(opened, organization), email);
  print(userId ? `The password of ${email} is enough to log in again.` : `No account has the email address ${email}.`);
  return userId ? 0 : 1;
}

/** Adds `annals people …`, and the commands about accounts that are older than it. */
export function addPeopleCommands(program: Command, { withKernel, print }: CommandTools): void {
  const running = (run: (opened: OperatorRun) => Promise<number>) =>
    withKernel((kernel, settings) => run({ kernel, settings, print }));
  const people = program.command('people').description('the people of an organization');
  inOrganization(people.command('end-two-factors'))
    .description('let somebody log in with the password alone who has lost the app and all recovery codes')
    .argument('<email>', 'address of the account')
    .action((email: string, { organization }: OrganizationOption) =>
      running((opened) => endTwoFactors(opened, { email, organization })),
    );
  addKeyAndPermissions(program, running);
  inOrganization(program.command('import-users'))
    .description('create accounts from a list; they are stubs until their owners log in')
    .argument(
      '[file]',
      'one JSON object a line: email, full_name, optionally role and password; default: standard input',
    )
    .action((file: string | undefined, { organization }: OrganizationOption) =>
      running(async (opened) => {
        const to = { realmId: await realmNamed(opened, organization), url: defaultAddressOf(opened.settings) };
        return importPeople(opened.kernel, to, file, print);
      }),
    );
}

function addKeyAndPermissions(
  program: Command,
  running: (run: (opened: OperatorRun) => Promise<number>) => Promise<void>,
): void {
  inOrganization(program.command('key'))
    .description('issue another API key for an account; it is printed only once')
    .argument('<email>', 'address of the account')
    .action((email: string, { organization }: OrganizationOption) =>
      running((opened) => issueNewKey(opened, { email, organization })),
    );
  for (const [command, given, description] of [
    ['grant', true, 'give an account a special permission that no role has'],
    ['revoke', false, 'remove a special permission from an account'],
  ] as const) {
    inOrganization(program.command(command))
      .description(description)
      .addArgument(new Argument('<permission>').choices(Object.keys(PERMISSIONS)))
      .argument('<email>', 'address of the account')
      .action((name: string, email: string, { organization }: OrganizationOption) =>
        running((opened) => setPermission(opened, { name, given, email, organization })),
      );
  }
}

const inOrganization = (command: Command): Command =>
  command.option('--organization <name>', 'the organization; default: the first one');
