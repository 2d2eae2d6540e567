import { proposedRule, rehearse } from '@annals/audit';
import { DAY_MS } from '@annals/kernel/domain';
import { organizationOf, readNames } from './organization';
import type { Command } from 'commander';
import type { Kernel } from '@annals/kernel';
import type { Settings } from '../../../shared/src/settings';
import { realmIdNamed } from '../commands/organizations/named';
import { progress } from '../progress';
import { selectionOf } from './selection';

/** Without `--from`, the decisions of so many days are rehearsed. */
const DAYS = 30;

interface Given {
  readonly rule: string;
  readonly realm?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Declares `annals rehearse`. @param run runs it on a kernel */
export function addRehearseCommand(
  program: Command,
  run: (command: (kernel: Kernel, settings: Settings) => Promise<number>) => Promise<void>,
  print: (line: string) => void,
): void {
  program
    .command('rehearse')
    .description('show how many decisions of the past a proposed setting would have refused; writes nothing')
    .requiredOption('--rule <setting=value>', 'for example can_create_groups=role:administrators')
    .option('--realm <name>', 'the organization, if there are several')
    .option('--from <moment>', `only decisions after this position or time; default: ${DAYS} days ago`)
    .option('--to <moment>', 'only decisions up to this position or time')
    .action((given: Given) =>
      run(async (kernel, settings) => {
        const realm = await realmIdNamed({ kernel, settings }, given.realm);
        return rehearseRule(kernel, { ...given, realm }, print);
      }),
    );
}

/** @returns 0 */
async function rehearseRule(
  kernel: Kernel,
  given: Omit<Given, 'realm'> & { readonly realm: number | undefined },
  print: (line: string) => void,
): Promise<number> {
  const from = given.from ?? new Date(kernel.clock.now() - DAYS * DAY_MS).toISOString();
  const part = await selectionOf(kernel, { ...given, from, types: [], subject: null });
  const rule = proposedRule(given.rule, await organizationOf(kernel, part.realmId));
  const bar = progress('rehearse');
  try {
    const done = (position: number) => bar.update(position - part.after, part.upTo - part.after);
    const { decisions, refused, users, samples } = await rehearse(kernel, part, rule, done);
    bar.stop();
    const names = await readNames(kernel, part.realmId, [...users.keys()]);
    print(`${decisions} decisions depend on ${rule.setting}. ${refused} of them would have been refused.`);
    const most = [...users].sort(([, a], [, b]) => b - a);
    for (const [user, count] of most) print(`  ${count} of ${names.get(user) ?? `user ${user}`}`);
    for (const { position, at, type, userId } of samples) {
      print(
        `  position ${position}, ${new Date(at).toISOString()}: ${type} by ${names.get(userId) ?? `user ${userId}`}`,
      );
    }
    return 0;
  } finally {
    bar.stop();
  }
}
