import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { systemActor } from '@annals/kernel';
import { operatorsRealm } from '@annals/onboarding';
import { TokenIssue } from '@annals/provisioning';
import type { Command } from 'commander';

/** Where the token is valid, and what it may do. */
export interface ScimTokenOptions {
  readonly name: string;
  readonly isReadOnly: boolean;
  /** Left out: the first organization. */
  readonly realm?: number | undefined;
}

/** `annals scim token`: issues a token with which a directory provisions people, and prints it. It is shown only now. */
export async function issueScimToken(
  kernel: Kernel,
  { name, isReadOnly, realm }: ScimTokenOptions,
  print: (line: string) => void,
): Promise<number> {
  const realmId = realm === undefined ? await operatorsRealm(kernel) : (realm as RealmId);
  if (realmId === undefined) throw new Error('there is no organization yet; `annals setup` creates it');
  const rights = isReadOnly ? 'read-only' : 'read-write';
  const { token } = await new TokenIssue(kernel).issue(systemActor(realmId), { name, rights, expiresAt: null });
  print(token);
  return 0;
}

/** Adds the commands of SCIM. */
export function addScimCommands(
  program: Command,
  whole: (text: string) => number,
  withKernel: (run: (kernel: Kernel) => Promise<number>) => Promise<void>,
  print: (line: string) => void,
): void {
  program
    .command('scim')
    .description('provisioning by SCIM')
    .command('token')
    .description('issue a token for a directory; it is printed only once')
    .argument('<name>', 'what it is for, such as Okta')
    .option('--read-only', 'it may not change anything')
    .option('--realm <id>', 'the organization; default: the first one', whole)
    .action((name: string, { readOnly = false, realm }: { readOnly?: boolean; realm?: number }) =>
      withKernel((kernel) => issueScimToken(kernel, { name, isReadOnly: readOnly, realm }, print)),
    );
}
