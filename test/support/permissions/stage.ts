import type { WireGroupSetting } from '@annals/kernel/domain';
import type { Answer, Params } from '../caller';
import { granted } from '../caller';
import { withoutDefaultChannels } from '../channels';
import { makeGroup, systemGroups } from '../groups';
import type { Person } from '../organization';
import type { ServerOptions, TestServer } from '../server';
import { startServer } from '../server';
import type { Having, Rule } from './contract';
import { ruleOf } from './contract';

const DAY = 24 * 60 * 60 * 1000;
const WAITING_DAYS = 3;

/** Who asks. Those after the guest are new members, if they are people. */
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

/** Whom the values that a setting can have include (contract/permissions.md sections 2 and 3). */
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

/** What a setting lets somebody do. */
export interface Act {
  readonly setting: string;
  readonly what: string;
  /** Brings about that the setting has the value and nothing else lets `by` do it, and has them do it. */
  readonly attempt: (stage: Stage, value: WireGroupSetting, by: Person) => Promise<Answer>;
  /** Who may whatever the value is. */
  readonly always?: readonly Kind[];
  /** Who may not whatever the value is, beside guests where the setting is never for them. */
  readonly never?: readonly Kind[];
  /** Whether a bot may what its owner may. */
  readonly lendsToBots?: boolean;
  /** Code of the refusal; `BAD_REQUEST` when left out. */
  readonly code?: string;
  /** Code of the refusal of guests where it is another one. */
  readonly codeForGuests?: string;
}

/** The values that a setting with this rule can have. */
const valuesOf = ({ everyone, nobody, only }: Rule): ValueName[] =>
  (Object.keys(VALUES) as ValueName[]).filter(
    (value) =>
      (value !== 'everyone' || everyone) &&
      (value !== 'nobody' || nobody) &&
      (only === undefined || only.some((group) => group === value)),
  );

/** The first act of each setting with every value, further ones with the last: that they ask for the same permission. */
export const casesOf = (of: Having, acts: readonly Act[]): (Act & { readonly values: readonly ValueName[] })[] =>
  acts.map((act, n) => {
    const values = valuesOf(ruleOf(of, act.setting));
    const isFirst = acts.findIndex(({ setting }) => setting === act.setting) === n;
    return { ...act, values: isFirst ? values : values.slice(-1) };
  });

/** What becomes of everybody's attempt by the contract: `may`, or the code of the refusal. */
export function expected(of: Having, act: Act, value: ValueName): Record<Kind, string> {
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
  return Object.fromEntries(KINDS.map((kind) => [kind, outcome(kind)])) as Record<Kind, string>;
}

/** A server with somebody of every kind, for asking who may what. */
export class Stage {
  private count = 0;
  private readonly made = new Map<string, unknown>();

  private constructor(
    readonly server: TestServer,
    readonly people: Readonly<Record<Kind, Person>>,
    /** System groups by their names without `role:`. */
    readonly groups: Readonly<Record<string, number>>,
    private readonly outer: number,
    /** A group with nobody in it. */
    readonly empty: number,
    /** A guest whom none of the values includes but `everyone`, in no channel with anybody. */
    readonly bystander: Person,
  ) {}

  static async open(options: ServerOptions = {}): Promise<Stage> {
    const server = await startServer(options);
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

  /** An owner who is none of those who ask, and prepares what they ask for. */
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

  /** A word that nothing else is called. */
  word(): string {
    return `word${++this.count}`;
  }

  /** What several acts need and only the first makes. */
  async once<Thing>(name: string, make: () => Promise<Thing>): Promise<Thing> {
    const made = this.made.get(name) ?? make();
    this.made.set(name, made);
    return made as Promise<Thing>;
  }

  /** Those who have not left, by id. */
  present(people: readonly Person[] = Object.values(this.people)): number[] {
    return people.filter((one) => one !== this.people['somebody who left']).map(({ id }) => id);
  }

  async organization(settings: Params): Promise<void> {
    const changes = Object.entries(settings).map(([name, value]) => [name, { new: value }] as const);
    granted(await this.keeper.patch('/realm', Object.fromEntries(changes)));
  }

  /** A channel that nobody but administrators of the organization administers. */
  async channel(wish: Params): Promise<{ readonly id: number; readonly name: string }> {
    const name = this.word();
    const usual = { name, subscribers: [], can_administer_channel_group: this.groups['nobody'] };
    const { id } = granted(await this.keeper.post<{ id: number }>('/channels/create', { ...usual, ...wish }));
    return { id, name };
  }

  /** A group of the keeper's that lets nobody else do anything. */
  async group(wish: Params): Promise<{ readonly id: number; readonly name: string }> {
    const name = this.word();
    const { nobody } = this.groups;
    const closed = { can_leave_group: nobody, can_mention_group: nobody };
    return { id: await makeGroup(this.keeper, { name, ...closed, ...wish }), name };
  }

  /** What becomes of everybody's attempt: `may`, or the code of the refusal. */
  async outcomes(act: Act, value: ValueName): Promise<Record<Kind, string>> {
    const outcomes: Partial<Record<Kind, string>> = {};
    for (const kind of KINDS) {
      const { status, body } = await act.attempt(this, this.valueOf(value), this.people[kind]);
      outcomes[kind] = status === 200 ? 'may' : (body.code ?? `${status} without a code`);
    }
    return outcomes as Record<Kind, string>;
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
