import type { Kernel } from '@annals/kernel';
import type { Command } from 'commander';
import { mailOptionsOf } from '../../../../shared/src/mail/mail-options';
import { defaultAddressOf } from '../../../../shared/src/open-kernel';
import type { Settings } from '../../../../shared/src/settings';
import { receiveMail } from './receive-mail';
import { discardMail, listMail, retryMail } from './parked';
import { testMail } from './test-mail';

interface Running {
  readonly env: NodeJS.ProcessEnv;
  /** Receives the exit code of the command. */
  readonly ended: (code: number) => void;
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly print: (line: string) => void;
}

/** Adds the commands about mails that could not be sent, and one that tries the mail server. */
export function addMailCommands(program: Command, { withKernel, env, ended, print }: Running): void {
  const mail = program.command('mail').description('mails that were set aside, and a test of the mail server');
  mail
    .command('list')
    .description('list mails that could not be sent, or came back, with reason and time, newest first')
    .option('--json', 'print one JSON object a line')
    .action((options: { json?: boolean }) => withKernel((kernel) => listMail(kernel, options.json ?? false, print)));
  mail
    .command('retry')
    .description('try mails again, with all attempts')
    .argument('[ids...]', 'ids of mails, as in annals mail list; default: all')
    .action((ids: string[]) => withKernel((kernel) => retryMail(kernel, ids, print)));
  mail
    .command('discard')
    .description('never send mails that were set aside')
    .argument('[ids...]', 'ids of mails')
    .option('--all', 'all of them')
    .action((ids: string[], options: { all?: boolean }) => {
      if (ids.length > 0 === (options.all ?? false)) program.error('Give ids of mails, or --all.');
      return withKernel((kernel) => discardMail(kernel, ids, print));
    });
  mail
    .command('test')
    .description('send a mail now, and print the answer of the mail server')
    .argument('<address>', 'where to')
    .action((to: string) =>
      withKernel((kernel, settings) => {
        const url = defaultAddressOf(settings);
        return testMail(kernel, mailOptionsOf(settings, url), { to, url }, print);
      }),
    );
  addReceiver(program, { env, ended, print });
}

/** What the mail server of the operator starts for each mail. */
function addReceiver(program: Command, { env, ended, print }: Omit<Running, 'withKernel'>): void {
  program
    .command('receive-mail')
    .description(
      'hand one mail from standard input to a worker, for mail servers that start a program; exit codes of sysexits.h',
    )
    .option('--to <address>', 'the address that the mail is for; default: RECIPIENT or ORIGINAL_RECIPIENT')
    .option('--from <address>', 'the address that bounces go to; default: SENDER')
    .action(async (options: { to?: string; from?: string }) => {
      const to = options.to ?? env['RECIPIENT'] ?? env['ORIGINAL_RECIPIENT'] ?? '';
      const from = options.from ?? env['SENDER'] ?? '';
      ended(await receiveMail(env, { to, from, input: process.stdin }, print));
    });
}
