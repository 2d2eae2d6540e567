import type { Answer, Params, WireEvent } from '../server/caller';
import { granted } from '../server/caller';
import { groupSeen } from '../requests/groups';
import type { Person } from '../server/organization';
import { ORGANIZATION_ACTS } from './organization-acts';
import type { SettingScope } from './contract';
import { CHANNEL_SETTINGS, GROUP_SETTINGS } from './contract';
import type { Stage } from './stage';

/** A thing that has settings, as a keeper makes, changes and sees it. */
export interface SettingOwner {
  readonly of: SettingScope;
  /** The settings that can be given values. */
  readonly settings: readonly string[];
  /** Type of the events of a change. */
  readonly event: string;
  /** Makes one; left out for the organization, which is there. */
  readonly make?: (
    stage: Stage,
    input: Params,
  ) => Promise<Answer<{ readonly id?: number; readonly group_id?: number }>>;
  readonly change: (by: Person, id: number, changes: Params) => Promise<Answer>;
  readonly see: (by: Person, id: number) => Promise<Readonly<Record<string, unknown>>>;
  /** The settings in an event. */
  readonly received: (event: WireEvent) => Readonly<Record<string, unknown>>;
}

const data = ({ data: changes }: WireEvent) => changes as Readonly<Record<string, unknown>>;

const CHANNEL: SettingOwner = {
  of: 'stream',
  settings: Object.keys(CHANNEL_SETTINGS),
  event: 'stream',
  make: (stage, input) => stage.keeper.post('/channels/create', { name: stage.word(), subscribers: [], ...input }),
  change: (by, id, changes) => by.patch(`/streams/${id}`, changes),
  see: async (by, id) => granted(await by.get<{ stream: Readonly<Record<string, unknown>> }>(`/streams/${id}`)).stream,
  received: ({ property, value }) => ({ [String(property)]: value }),
};

const GROUP: SettingOwner = {
  of: 'group',
  settings: Object.keys(GROUP_SETTINGS),
  event: 'user_group',
  make: (stage, input) =>
    stage.keeper.post('/user_groups/create', { name: stage.word(), description: '', members: [], ...input }),
  change: (by, id, changes) => by.patch(`/user_groups/${id}`, changes),
  see: (by, id) => groupSeen(by, id),
  received: data,
};

const ORGANIZATION: SettingOwner = {
  of: 'realm',
  settings: [...new Set(ORGANIZATION_ACTS.map(({ setting }) => setting))],
  event: 'realm',
  change: (by, _, changes) => by.patch('/realm', changes),
  async see(by) {
    const state = Object.entries(await by.register({ fetch_event_types: ['realm'] }));
    return Object.fromEntries(state.map(([name, value]) => [name.replace(/^realm_/, ''), value]));
  },
  received: data,
};

export const HAVERS: readonly SettingOwner[] = [CHANNEL, GROUP, ORGANIZATION];

/** One of them, new where there can be more than one. */
export async function madeOf({ make }: SettingOwner, stage: Stage, input: Params = {}): Promise<number> {
  if (!make) return 0;
  const { id, group_id } = granted(await make(stage, input));
  return id ?? group_id ?? 0;
}
