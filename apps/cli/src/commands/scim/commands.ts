import type { Kernel } from '@annals/kernel';
import type { Command } from 'commander';
import type { Settings } from '../../../../shared/src/settings';
import type { Running } from './tokens';
import { createToken, endToken, listTokens } from './tokens';

interface CommandTools {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly whole: (text: string) => number;
  readonly print: (line: string) => void;
}

interface OrganizationOption {
  readonly organization?: string;
}

/** Adds `annals scim token …`. */
export function addScimCommands(program: Command, { withKernel, whole, print }: CommandTools): void {
  const running = (run: (running: Running) => Promise<number>) =>
    withKernel((kernel, settings) => run({ kernel, settings, print }));
  const tokens = program
    .command('scim')
    .description('provisioning by SCIM')
    .command('token')
    .description('tokens with which directories provision people and groups');
  const command = (name: string, description: string) =>
    tokens
      .command(name)
      .description(description)
      .option('--organization <name>', 'the organization; default: the first one');

  command('create', 'issue a token for a directory; it is printed only once')
    .argument('<name>', 'what it is for, such as Okta')
    .option('--read-only', 'it may not change anything')
    .action((name: string, { readOnly = false, organization }: OrganizationOption & { readOnly?: boolean }) =>
      running((to) => createToken(to, organization, { name, isReadOnly: readOnly })),
    );
  command('list', 'list the tokens that were not ended, without their secrets')
    .option('--json', 'print one JSON object a line')
    .action(({ json = false, organization }: OrganizationOption & { json?: boolean }) =>
      running((to) => listTokens(to, organization, json)),
    );
  command('end', 'end a token at once')
    .argument('<id>', 'its number, as in annals scim token list', whole)
    .action((id: number, { organization }: OrganizationOption) => running((to) => endToken(to, organization, id)));
}
