import type { WireGroupSetting } from '@annals/kernel/domain';
import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import { withoutDefaultChannels } from '../requests/channels';
import { makeGroup, systemGroups } from '../requests/groups';
import type { Person } from '../server/organization';
import type { ServerOptions, TestServer } from '../server/server';
import { startTestServer } from '../server/server';
import type { SettingScope, Rule } from './contract';
import { ruleOf } from './contract';

const DAY = 24 * 60 * 60 * 1000;
const WAITING_DAYS = 3;

/** The callers. Those after the guest are new members, if they are people. */
export const KINDS = [
  'owner',
  'administrator',
  'moderator',
  'full member',
  'new member',
  'guest',
  'member who is named',
  'member of an inner group',
  'bot',
  'bot of an administrator',
  'somebody who left',
] as const;
export type Kind = (typeof KINDS)[number];

const MODERATORS: readonly Kind[] = ['owner', 'administrator', 'moderator'];
const NON_GUESTS = KINDS.filter((kind) => kind !== 'guest');

/** The callers that each value of a setting includes (contract/permissions.md sections 2 and 3). */
export const VALUES = {
  nobody: [],
  owners: ['owner'],
  administrators: ['owner', 'administrator'],
  moderators: MODERATORS,
  fullmembers: [...MODERATORS, 'full member'],
  members: NON_GUESTS,
  everyone: KINDS,
  'a group with a group inside': ['guest', 'member of an inner group', 'somebody who left'],
  'people and groups': [...MODERATORS, 'guest', 'member who is named', 'bot'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;
export type ValueName = keyof typeof VALUES;

/** An act that a setting allows. */
export interface Act {
  readonly setting: string;
  readonly what: string;
  /** Gives the setting the value, so that nothing else allows the act to `by`, and attempts it. */
  readonly attempt: (stage: Stage, value: WireGroupSetting, by: Person) => Promise<Answer>;
  /** Callers who have the permission with any value. */
  readonly always?: readonly Kind[];
  /** Callers who do not have it with any value, beside guests if the setting never includes them. */
  readonly never?: readonly Kind[];
  /** Whether a bot may what its owner may. */
  readonly lendsToBots?: boolean;
  /** Code of the refusal; `BAD_REQUEST` when left out. */
  readonly code?: string;
  /** Code of the refusal of guests where it is another one. */
  readonly codeForGuests?: string;
  /** Whether an attempt changes settings of the organization, so that attempts must not run concurrently. */
  readonly inTurn?: boolean;
}

/** A value for a setting, and the callers to try then. */
interface Asked {
  readonly value: ValueName;
  readonly kinds: readonly Kind[];
}

/** The setting of each family that is asked for with every value and of everybody. */
const THOROUGHLY: Readonly<Record<SettingScope, string>> = {
  stream: 'can_send_message_group',
  group: 'can_mention_group',
  realm: 'can_delete_own_message_group',
};

/** The values that a setting with this rule can have. */
const valuesOf = ({ everyone, nobody, only }: Rule): ValueName[] =>
  (Object.keys(VALUES) as ValueName[]).filter(
    (value) =>
      (value !== 'everyone' || everyone) &&
      (value !== 'nobody' || nobody) &&
      (only === undefined || only.some((group) => group === value)),
  );

/** New or deactivated callers differ by the value and the login alone, which the thorough acts cover. */
const HOLDERS = KINDS.filter((kind) => kind !== 'full member' && kind !== 'somebody who left');

/** The callers of further acts of a setting, by the number that a value includes. */
const WITNESSES: Partial<Record<ValueName, readonly Kind[]>> = {
  'a group with a group inside': ['administrator', 'new member', 'guest', 'member of an inner group'],
  'people and groups': ['moderator', 'new member', 'member who is named', 'bot'],
};
const OTHER_WITNESSES: readonly Kind[] = ['owner', 'moderator', 'new member', 'guest'];

/**
 * One function decides who is in a value for all settings (`permits`, which has a spec of its own). So one act of each
 * family is tried with every value and every caller. The first act of each other setting is tried with two values that
 * contain users, groups and nested groups, or with all values if these are few. Further acts are tried with a few
 * callers, which shows that they use the same permission.
 */
export const casesOf = (of: SettingScope, acts: readonly Act[]): (Act & { readonly asked: readonly Asked[] })[] =>
  acts.map((act, n) => {
    const { setting } = act;
    const rule = ruleOf(of, setting);
    const values = valuesOf(rule);
    if (acts.findIndex((other) => other.setting === setting) < n) {
      const asked = values.slice(-2).map((value) => ({ value, kinds: WITNESSES[value] ?? OTHER_WITNESSES }));
      return { ...act, asked };
    }
    const isThorough = THOROUGHLY[of] === setting;
    const kinds = isThorough ? KINDS : HOLDERS;
    return { ...act, asked: (isThorough || rule.only ? values : values.slice(-2)).map((value) => ({ value, kinds })) };
  });

/** The result of every caller's attempt by the contract: `may`, or the code of the refusal. */
export function expected(of: SettingScope, act: Act, { value, kinds }: Asked): Record<string, string> {
  const { everyone } = ruleOf(of, act.setting);
  const inside: readonly Kind[] = VALUES[value];
  const never: readonly Kind[] = [...(act.never ?? []), ...(everyone ? [] : (['guest'] as const))];
  const may = (kind: Kind): boolean => {
    if (act.always?.includes(kind)) return true;
    if (never.includes(kind)) return false;
    const lent = act.lendsToBots === true && kind === 'bot of an administrator' && inside.includes('administrator');
    return inside.includes(kind) || lent;
  };
  const code = (kind: Kind) => (kind === 'guest' ? act.codeForGuests : undefined) ?? act.code ?? 'BAD_REQUEST';
  const outcome = (kind: Kind) => {
    if (kind === 'somebody who left') return 'USER_DEACTIVATED';
    return may(kind) ? 'may' : code(kind);
  };
  return Object.fromEntries(kinds.map((kind) => [kind, outcome(kind)]));
}

/** A server with a caller of every kind. */
export class Stage {
  private count = 0;
  private readonly made = new Map<string, unknown>();
  /** The values to which settings of the organization were changed. */
  private readonly settings = new Map<string, { readonly value: string; readonly done: Promise<unknown> }>();

  private constructor(
    readonly server: TestServer,
    readonly people: Readonly<Record<Kind, Person>>,
    /** System groups by their names without `role:`. */
    readonly groups: Readonly<Record<string, number>>,
    private readonly outer: number,
    /** A group without members. */
    readonly empty: number,
    /** A guest in none of the values but `everyone`, and in no channel with others. */
    readonly bystander: Person,
  ) {}

  static async open(options: ServerOptions = {}): Promise<Stage> {
    const server = await startTestServer(options);
    const people = await peopleOf(server);
    const inner = await makeGroup(server.owner, {
      members: [people.guest.id, people['member of an inner group'].id, people['somebody who left'].id],
    });
    const outer = await makeGroup(server.owner, { subgroups: [inner] });
    granted(await server.owner.delete(`/users/${people['somebody who left'].id}`));
    granted(await server.owner.patch('/realm', { waiting_period_threshold: WAITING_DAYS }));
    const groups = await systemGroups(server.owner);
    await withoutDefaultChannels(server.owner);
    const bystander = await server.person({ role: 'guest' });
    return new Stage(server, people, groups, outer, await makeGroup(server.owner), bystander);
  }

  /** An owner who is not one of the callers, and prepares what they need. */
  get keeper(): Person {
    return this.server.owner;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  valueOf(name: ValueName): WireGroupSetting {
    if (name === 'a group with a group inside') return this.outer;
    if (name !== 'people and groups') return this.groups[name] ?? 0;
    const members = [this.people.guest, this.people['member who is named'], this.people.bot];
    const { moderators = 0, nobody = 0 } = this.groups;
    return { direct_members: members.map(({ id }) => id), direct_subgroups: [moderators, nobody] };
  }

  /** A unique name. */
  word(): string {
    return `word${++this.count}`;
  }

  /** A thing that several acts need and only the first one makes. */
  async once<Thing>(name: string, make: () => Promise<Thing>): Promise<Thing> {
    const made = this.made.get(name) ?? make();
    this.made.set(name, made);
    return made as Promise<Thing>;
  }

  /** Active callers by id. */
  present(people: readonly Person[] = Object.values(this.people)): number[] {
    return people.filter((one) => one !== this.people['somebody who left']).map(({ id }) => id);
  }

  /** Changes settings of the organization; nothing else may change them. */
  async organization(settings: Params): Promise<void> {
    const request = Object.entries(settings).map(([name, value]) => ({
      name,
      new: value,
      value: JSON.stringify(value),
    }));
    const changes = request.filter(({ name, value }) => this.settings.get(name)?.value !== value);
    if (changes.length > 0) {
      const change = Object.fromEntries(changes.map(({ name, new: value }) => [name, { new: value }]));
      const done = this.keeper.patch('/realm', change).then(granted);
      for (const { name, value } of changes) this.settings.set(name, { value, done });
    }
    for (const { name } of request) await this.settings.get(name)?.done;
  }

  /** A channel that only administrators of the organization administer. */
  async channel(input: Params): Promise<{ readonly id: number; readonly name: string }> {
    const name = this.word();
    const usual = { name, subscribers: [], can_administer_channel_group: this.groups['nobody'] };
    const { id } = granted(await this.keeper.post<{ id: number }>('/channels/create', { ...usual, ...input }));
    return { id, name };
  }

  /** A group of the keeper without permissions for others. */
  async group(input: Params): Promise<{ readonly id: number; readonly name: string }> {
    const name = this.word();
    const { nobody } = this.groups;
    const closed = { can_leave_group: nobody, can_mention_group: nobody };
    return { id: await makeGroup(this.keeper, { name, ...closed, ...input }), name };
  }

  /** The results of their attempts: `may`, or the code of the refusal. */
  async outcomes(act: Act, { value, kinds }: Asked): Promise<Record<string, string>> {
    const outcomes: Record<string, string> = {};
    const ask = async (kind: Kind) => {
      const { status, body } = await act.attempt(this, this.valueOf(value), this.people[kind]);
      outcomes[kind] = status === 200 ? 'may' : (body.code ?? `${status} without a code`);
    };
    if (act.inTurn) for (const kind of kinds) await ask(kind);
    else await Promise.all(kinds.map(ask));
    return outcomes;
  }
}

async function peopleOf(server: TestServer): Promise<Record<Kind, Person>> {
  const roles = ['owner', 'administrator', 'moderator', 'guest'] as const;
  const people: Partial<Record<Kind, Person>> = {};
  for (const role of roles) people[role] = await server.person({ role });
  people['full member'] = await server.person();
  server.clock.advance((WAITING_DAYS + 1) * DAY);
  for (const kind of KINDS) {
    if (people[kind]) continue;
    const ownerKind = kind === 'bot' ? 'new member' : 'administrator';
    const owner = kind.startsWith('bot') ? people[ownerKind] : undefined;
    people[kind] = owner ? await server.bot(owner) : await server.person();
  }
  return people as Record<Kind, Person>;
}
