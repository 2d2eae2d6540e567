import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { createDataFolder } from '@annals/embedded';
import type { Kernel } from '@annals/kernel';
import { openKernel, whyNot } from '../../shared/src/open-kernel';
import type { Settings } from '../../shared/src/settings';
import { readSettings } from '../../shared/src/settings';
import { Output } from './output';
import { addRehearseCommand } from './replay/rehearse-command';
import { replay } from './replay/replay';
import { addReplayCommand } from './replay/replay-command';
import { servicesOf } from './services';
import { backup } from './commands/backup';
import { erase } from './commands/erase';
import { listJobs, retryJobs } from './commands/jobs';
import { addLdapCommands } from './commands/ldap/commands';
import { past } from './commands/past/past';
import { addPeopleCommands } from './commands/people/commands';
import { resume } from './commands/resume';
import { addPushCommands } from './commands/push';
import { restore } from './commands/restore';
import { restored } from './commands/restored';
import { addScimCommands } from './commands/scim/commands';
import { setup } from './commands/setup';
import { status } from './commands/status';
import { tail } from './commands/tail';
import { tailConsumer } from './commands/tail-consumer';
import { addMailCommands } from './commands/mail/commands';
import { addOrganizationCommands } from './commands/organizations/commands';
import { realmIdNamed } from './commands/organizations/named';
import { addProofCommands } from './commands/proof/commands';
import { dropOldViews, rebuildViews, switchViews, upgradeViews } from './commands/views';

/** Where a command runs: in the process that an operator started for it. */
export interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  /** Prints in one sentence why a command failed. */
  readonly failed: (why: string) => Promise<void>;
  /** Asks the operator. Null if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Aborts when the operator ends a command that continues by itself. */
  readonly stopped: () => AbortSignal;
}

/** Runs `annals …`. @returns its exit code */
export async function annals(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  let exitCode = 0;
  try {
    await programIn(environment, (code) => (exitCode = code)).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** All commands. @param ended receives the exit code of the command */
function programIn(
  { env, out, err, failed, ask, stopped }: CommandEnvironment,
  ended: (code: number) => void,
): Command {
  const output = new Output(out);
  const { print } = output;
  const note = new Output(err).print;

  /** Runs a command on an opened kernel. */
  async function withKernel(run: (kernel: Kernel, settings: Settings) => Promise<number>): Promise<void> {
    await inSettings(async (settings) => {
      const kernel = await openKernel({ ...settings, ANNALS_LOG_LEVEL: 'error' }, { poolSize: 4 });
      try {
        return await run(kernel, settings);
      } finally {
        await kernel.close();
      }
    });
  }

  /** @param isNew whether the data folder may be missing, to be made */
  async function inSettings(run: (settings: Settings) => Promise<number>, isNew = false): Promise<void> {
    try {
      const given = readSettings(env);
      if (isNew) createDataFolder(given.ANNALS_DATA_DIR);
      const { settings, stop } = await servicesOf(given, note);
      try {
        ended(await run(settings));
        await output.written();
      } finally {
        await stop();
      }
    } catch (error) {
      await failed(whyNot(error));
      ended(1);
    }
  }

  const program = new Command('annals')
    .description('Operates an Annals server.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) });

  program
    .command('setup')
    .description('update the database schema, and create the first organization if there is none')
    .option('--json', 'print one line of JSON')
    .action((options: { json?: boolean }) => inSettings((settings) => setup(settings, options.json ?? false, print)));

  program
    .command('status')
    .description('show the logs, read models, followers, job queues and parked events')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => withKernel((kernel) => status(kernel, options.json ?? false, print)));

  addProofCommands(program, { withKernel, whole, print });
  addOrganizationCommands(program, { withKernel, whole, print });

  program
    .command('tail')
    .description('print the log as it grows, one JSON object a line')
    .option('--realm <name>', 'only this organization')
    .option('--after <position>', 'begin after this position; default: the head', whole)
    .option('--words', 'include what people wrote')
    .option('--consumer <name>', 'print the next events of a consumer, and acknowledge those that are printed')
    .option('--once', 'end when the log is printed, do not wait')
    .action((options: { realm?: string; after?: number; words?: boolean; consumer?: string; once?: boolean }) =>
      withKernel(async (kernel, settings) => {
        const { after, words = false, consumer, once: ends = false } = options;
        const realm = await realmIdNamed({ kernel, settings }, options.realm);
        const { closed } = output;
        const write = (line: string) => output.write(line);
        if (consumer === undefined) {
          const signal = AbortSignal.any([stopped(), closed]);
          await tail(kernel, { realm, after, words, once: ends }, write, signal);
        } else if (after !== undefined || words) {
          throw new Error('A consumer says itself where it continues and what it shows.');
        } else {
          await tailConsumer(kernel, settings, { realm, consumer, once: ends }, { write, stopped: stopped(), closed });
        }
        return 0;
      }),
    );

  addScimCommands(program, { withKernel, whole, print });
  addPeopleCommands(program, { withKernel, print });

  addReplayCommand(program, (options, named) =>
    withKernel(async (kernel, settings) => {
      const signal = AbortSignal.any([stopped(), output.closed]);
      const realm = await realmIdNamed({ kernel, settings }, named);
      return replay({ ...options, realm }, { kernel, settings, print, line: (line) => output.write(line), signal });
    }),
  );

  addRehearseCommand(program, withKernel, print);

  program
    .command('past')
    .description('serve an organization as it was at a moment, read-only, to ordinary clients; Ctrl-C ends it')
    .requiredOption('--at <moment>', 'a position, UNIX seconds, or a time such as 2026-11-23T09:18:52Z')
    .option('--port <port>', 'where it listens; 0 takes a free port', whole, 9992)
    .option('--url <address>', 'the address for clients, if it is another one')
    .option('--realm <name>', 'the organization; default: the first one')
    .action((options: { at: string; port: number; url?: string; realm?: string }) =>
      withKernel(async (kernel, settings) => {
        const { at, port, url } = options;
        const realm = await realmIdNamed({ kernel, settings }, options.realm);
        return past(kernel, settings, { at, port, url, realm }, { print, signal: stopped() });
      }),
    );

  program
    .command('erase')
    .description('erase the text of what was deleted more than ANNALS_ERASURE_DAYS ago')
    .option('--now', 'erase everything that was deleted')
    .action((options: { now?: boolean }) =>
      withKernel((kernel, settings) => erase(kernel, options.now ? 0 : settings.ANNALS_ERASURE_DAYS, print)),
    );

  program
    .command('resume')
    .description('let a parked follower try its event again')
    .argument('<follower>', 'name of the follower, as in annals status')
    .option('--realm <name>', 'only in this organization')
    .action((follower: string, options: { realm?: string }) =>
      withKernel(async (kernel, settings) =>
        resume(kernel, follower, await realmIdNamed({ kernel, settings }, options.realm), print),
      ),
    );

  const jobs = program.command('jobs').description('failed jobs');
  jobs
    .command('list')
    .description('list failed jobs with reason and time, newest first')
    .argument('[queue]', 'name of a queue, as in annals status; default: all queues')
    .option('--json', 'print one JSON object a line')
    .action((queue: string | undefined, options: { json?: boolean }) =>
      withKernel((kernel) => listJobs(kernel, { queue, json: options.json ?? false }, print)),
    );
  jobs
    .command('retry')
    .description('run failed jobs again, with all attempts')
    .argument('<queue>', 'name of a queue')
    .argument('[ids...]', 'ids of jobs')
    .option('--all', 'all failed jobs of this queue')
    .action((queue: string, ids: string[], options: { all?: boolean }) => {
      if (ids.length > 0 === (options.all ?? false)) program.error('Give ids of jobs, or --all.');
      return withKernel((kernel) => retryJobs(kernel, { queue, ids }, print));
    });

  addPushCommands(program, { withKernel, print });

  addMailCommands(program, { withKernel, env, ended, print });
  addLdapCommands(program, { withKernel, print, stopped });

  program
    .command('backup')
    .description('write everything that cannot be rebuilt into a folder, while the server runs')
    .argument('<folder>', 'an empty folder; it is created if it does not exist')
    .action((folder: string) => inSettings((settings) => backup(settings, folder, print)));

  program
    .command('restore')
    .description('restore a backup into an empty database and data folder')
    .argument('<folder>', 'a folder that "annals backup" has written')
    .action((folder: string) => inSettings((settings) => restore(settings, folder, print), true));

  program
    .command('restored')
    .description('complete a restore that was made with other tools, or a failover to a replica that lagged')
    .option('--yes', 'do not ask')
    .action((options: { yes?: boolean }) =>
      inSettings((settings) => restored(settings, options.yes ?? false, { print, ask })),
    );

  const views = program.command('views').description('read models');
  views
    .command('rebuild')
    .description('build read models beside the live ones; continues an interrupted build')
    .argument('[names...]', 'names of read models; default: all')
    .option('--switch', 'make them live when they are complete')
    .option('--restart', 'discard an interrupted build')
    .action((names: string[], options: { switch?: boolean; restart?: boolean }) => {
      const { switch: makeLive = false, restart = false } = options;
      return withKernel((kernel) => rebuildViews(kernel, names, { makeLive, restart, signal: stopped() }, print));
    });
  views
    .command('switch')
    .description('make rebuilt read models live, without a failed request')
    .argument('<names...>', 'names of read models')
    .action((names: string[]) => withKernel((kernel) => switchViews(kernel, names, stopped(), print)));
  views
    .command('upgrade')
    .description('build every read model that this release changes, and make it live')
    .action(() => withKernel((kernel) => upgradeViews(kernel, stopped(), print)));
  views
    .command('drop-old')
    .description('drop the tables of replaced versions')
    .argument('[names...]', 'names of read models; default: all')
    .action((names: string[]) => withKernel((kernel) => dropOldViews(kernel, names, print)));

  return program;
}
