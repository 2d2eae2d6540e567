import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Subject } from '@annals/kernel/domain';
import type { Speed } from './pace';
import type { ReplayOptions } from './replay';

interface Given {
  readonly into: string;
  readonly realm?: string;
  readonly from?: string;
  readonly to?: string;
  readonly types?: readonly string[];
  readonly subject?: Subject;
  readonly speed?: Speed;
  readonly resume?: boolean;
  readonly words?: string;
  readonly header?: Readonly<Record<string, string>>;
}

/** Declares `annals replay`. @param run receives the options, and the name of the organization */
export function addReplayCommand(
  program: Command,
  run: (options: Omit<ReplayOptions, 'realm'>, organization: string | undefined) => Promise<void>,
): void {
  program
    .command('replay')
    .description('write the log again, in order: into a file, an empty database, a server or standard output')
    .requiredOption('--into <target>', 'a file, postgres://…, http(s)://…, or - for standard output')
    .option('--realm <name>', 'the organization, if there are several')
    .option('--from <moment>', 'only events after this position or time')
    .option('--to <moment>', 'only events up to this position or time')
    .option('--types <list>', 'only these types, separated by commas; messages.* is a prefix', typeList)
    .option('--subject <kind:id>', 'only events about this thing, for example message:412, or realm', subjectOf)
    .option('--speed <factor>', '1x is as fast as it was written, 10x ten times as fast; default: max', speedOf)
    .option('--words <zuliprc>', 'include what people wrote, with the key of an account that may read it')
    .option('--header <line>', 'a header for a server, for example "Authorization: …"; may be repeated', header)
    .option('--resume', 'continue an interrupted replay')
    .action((given: Given) =>
      run(
        {
          into: given.into,
          ...(given.from === undefined ? {} : { from: given.from }),
          ...(given.to === undefined ? {} : { to: given.to }),
          types: given.types ?? [],
          subject: given.subject ?? null,
          speed: given.speed ?? null,
          resume: given.resume ?? false,
          words: given.words ?? null,
          headers: given.header ?? {},
        },
        given.realm,
      ),
    );
}

function typeList(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  if (types.every((type) => /^[a-z-]+\.([A-Za-z]+\*?|\*)$/.test(type))) return types;
  throw new InvalidArgumentError('Types look like messages.MessageSent or messages.*.');
}

function subjectOf(text: string): Subject {
  if (text === 'realm') return ['realm', 0];
  const [, kind, id] = /^([a-z-]+):(\d{1,15})$/.exec(text) ?? [];
  if (kind === undefined || id === undefined) throw new InvalidArgumentError('A subject looks like message:412.');
  return [kind, Number(id)];
}

function speedOf(text: string): Speed {
  if (text === 'max') return null;
  const factor = Number(/^(\d{1,6}(?:\.\d{1,3})?)x$/.exec(text)?.[1]);
  if (factor > 0) return factor;
  throw new InvalidArgumentError('A speed looks like 1x, 10x or max.');
}

function header(line: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*([\x20-\x7e]+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('A header looks like "Name: value".');
  return { ...before, [name]: value };
}
