import type { Kernel } from '@annals/kernel';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Settings } from '../../../../shared/src/settings';
import { changeHost, moveOrganization, setLimits } from './change';
import { create } from './create';
import { deactivate, remove, restore } from './lifecycle';
import { list } from './list';
import type { Named } from './named';
import { organizationNamed } from './named';

/** What the commands need of the program. */
export interface OrganizationCommands {
  readonly withKernel: (run: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>;
  readonly whole: (text: string) => number;
  readonly print: (line: string) => void;
}

const NAME = 'its subdomain, a host name of its own, or its number';
/** Days in which a deletion can be taken back, if the operator says nothing else. */
const GRACE_DAYS = 30;

/** Runs an act on the organization that the operator names. */
type On = (named: string, act: (named: Named) => Promise<number>) => Promise<void>;

/** Adds `annals organizations …`. */
export function addOrganizationCommands(program: Command, commands: OrganizationCommands): void {
  const { withKernel, whole, print } = commands;
  const organizations = program.command('organizations').description('the organizations of this server');
  const on: On = (named, act) =>
    withKernel(async (kernel, settings) => {
      const organization = await organizationNamed(kernel, settings, named);
      if (organization) return act({ kernel, settings, organization, print });
      print(`There is no organization ${named}.`);
      return 1;
    });
  addCreateAndList(organizations, commands);
  addAddresses(organizations, on);
  addLimits(organizations, on, whole);
  addLifecycle(organizations, on, whole);
}

function addCreateAndList(organizations: Command, { withKernel, print }: OrganizationCommands): void {
  organizations
    .command('create')
    .description('create an organization with its owner; a key that the server makes is printed only once')
    .argument('<subdomain>', 'where it is, below the host of the server')
    .requiredOption('--owner <email>', 'address of its owner')
    .option('--name <name>', 'its name; default: the subdomain')
    .option('--host <names...>', 'host names of its own')
    .option('--password-file <file>', 'file with the password of the owner; default: none')
    .option('--key-file <file>', 'file with the API key of the owner, 32 letters and digits')
    .option('--json', 'print one line of JSON')
    .action((subdomain: string, options: Parameters<typeof create>[3]) =>
      withKernel((kernel, settings) => create(kernel, settings, subdomain, options, print)),
    );
  organizations
    .command('list')
    .description('list the organizations with people, messages, storage, size of the log, limits and state')
    .option('--json', 'print one JSON object a line')
    .action((options: { json?: boolean }) => withKernel((kernel, settings) => list(kernel, settings, options, print)));
}

function addAddresses(organizations: Command, on: On): void {
  organizations
    .command('rename')
    .description('give an organization another name or subdomain; the old subdomain finds nothing any more')
    .argument('<organization>', NAME)
    .option('--name <name>', 'the new name')
    .option('--subdomain <subdomain>', 'the new subdomain')
    .action((named: string, options: { name?: string; subdomain?: string }) => {
      const { name, subdomain } = options;
      if (name === undefined && subdomain === undefined) organizations.error('Give --name or --subdomain.');
      return on(named, (one) => moveOrganization(one, options));
    });
  for (const [command, description] of [
    ['add-host', 'let a host name mean an organization, beside its subdomain'],
    ['remove-host', 'let a host name mean an organization no more'],
  ] as const) {
    organizations
      .command(command)
      .description(description)
      .argument('<organization>', NAME)
      .argument('<host>', 'such as chat.example.com')
      .action((named: string, host: string) => on(named, (one) => changeHost(one, command, host)));
  }
}

function addLimits(organizations: Command, on: On, whole: OrganizationCommands['whole']): void {
  // Commander replaces null by an empty text, so it becomes null only after the options were read.
  const limit = (text: string) => (text === 'none' ? text : whole(text));
  const requests = (text: string) => {
    if (limit(text) === 0) throw new InvalidArgumentError('Nobody could use the organization: deactivate it instead.');
    return limit(text);
  };
  organizations
    .command('limits')
    .description('limit what an organization may use, or show its limits; "none" removes one')
    .argument('<organization>', NAME)
    .option('--people <number>', 'active accounts of people', limit)
    .option('--storage-mib <number>', 'MiB of all uploaded files', limit)
    .option('--requests <number>', 'requests in a minute of all accounts and tokens', requests)
    .option('--log-mib <number>', 'MiB of the log', limit)
    .action((named: string, options: Readonly<Record<string, number | 'none'>>) =>
      on(named, (one) => setLimits(one, withoutNone(options))),
    );
}

const withoutNone = (options: Readonly<Record<string, number | 'none'>>): Record<string, number | null> =>
  Object.fromEntries(Object.entries(options).map(([name, limit]) => [name, limit === 'none' ? null : limit]));

function addLifecycle(organizations: Command, on: On, whole: OrganizationCommands['whole']): void {
  organizations
    .command('deactivate')
    .description('let nobody use an organization any more; everything stays')
    .argument('<organization>', NAME)
    .action((named: string) => on(named, deactivate));
  organizations
    .command('reactivate')
    .description('let an organization be used again; a deletion that has not begun is taken back')
    .argument('<organization>', NAME)
    .action((named: string) => on(named, restore));
  organizations
    .command('delete')
    .description('deactivate an organization, and delete everything of it after a grace period')
    .argument('<organization>', NAME)
    .option('--after-days <days>', 'the grace period, in which it can be reactivated', whole, GRACE_DAYS)
    .option('--dry-run', 'only count what would be deleted')
    .action((named: string, options: { afterDays: number; dryRun?: boolean }) =>
      on(named, (one) => remove(one, options)),
    );
}
