import type { Kernel } from '@annals/kernel';
import type { Command } from 'commander';
import { defaultAddressOf } from '../../../../shared/src/open-kernel';
import { keyStoreOf } from '../../../../shared/src/proof';
import type { Settings } from '../../../../shared/src/settings';
import { realmIdNamed } from '../organizations/named';
import type { RotateOptions } from './key-rotate';
import { rotateKey } from './key-rotate';
import type { VerifyCommandOptions } from './verify';
import { verify } from './verify';

interface Running {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly whole: (text: string) => number;
  readonly print: (line: string) => void;
}

/** Adds the commands that check the logs, and that replace the key that signs them. */
export function addProofCommands(program: Command, { withKernel, whole, print }: Running): void {
  program
    .command('verify')
    .description(
      'check hashes, commitments, gaps, tree and checkpoints; if a log is broken, print its first wrong position and exit with 1',
    )
    .option('--realm <name>', 'only this organization')
    .option('--from <position>', 'begin at this position; the tree before it is taken as stored', whole)
    .option('--against <file>', 'compare with a checkpoint that was kept elsewhere')
    .action((options: Omit<VerifyCommandOptions, 'realm'> & { realm?: string }) =>
      withKernel(async (kernel, settings) =>
        verify(kernel, { ...options, realm: await realmIdNamed({ kernel, settings }, options.realm) }, print),
      ),
    );

  program
    .command('key-rotate')
    .description('make a new key that signs checkpoints; the old one signs it')
    .option('--to <file>', 'file for the new key, if ANNALS_AUDIT_KEY is set')
    .option('--lost', 'the old key no longer exists')
    .action((options: RotateOptions) =>
      withKernel((kernel, settings) =>
        rotateKey(kernel, { keys: keyStoreOf(settings), url: defaultAddressOf(settings) }, options, print),
      ),
    );
}
