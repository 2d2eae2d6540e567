import type { Kernel } from '@annals/kernel';
import type { Command } from 'commander';
import type { Settings } from '../../../../shared/src/settings';
import { syncDirectories } from './sync';

interface CommandTools {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly print: (line: string) => void;
  readonly stopped: () => AbortSignal;
}

/** Adds `annals ldap …`. */
export function addLdapCommands(program: Command, { withKernel, print, stopped }: CommandTools): void {
  program
    .command('ldap')
    .description('directories of organizations')
    .command('sync')
    .description('make accounts follow the directories of ANNALS_SIGN_ON_FILE now')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--force', 'also deactivate more accounts than the limit of the directory allows')
    .option('--organization <name>', 'only this organization; default: all that have a directory')
    .action((options: { dryRun?: boolean; force?: boolean; organization?: string }) =>
      withKernel((kernel, settings) => {
        const { dryRun = false, force = false, organization } = options;
        return syncDirectories(kernel, settings, { dryRun, force, organization }, { print, signal: stopped() });
      }),
    );
}
