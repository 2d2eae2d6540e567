import type { Answer, Params } from '../server/caller';
import type { Person } from '../server/organization';
import type { Act, Stage } from './stage';

interface Group {
  readonly id: number;
  readonly name: string;
}

/** Contract/groups.md section 2: all endpoints of groups are for non-guests, whatever the setting is. */
const GUESTS = ['guest'] as const;

const members = (by: Person, { id }: Group, request: Params) => by.post(`/user_groups/${id}/members`, request);
const subgroups = (by: Person, { id }: Group, request: Params) => by.post(`/user_groups/${id}/subgroups`, request);
const change = (by: Person, { id }: Group, request: Params) => by.patch(`/user_groups/${id}`, request);

async function call(stage: Stage, by: Person, { name }: Group) {
  const square = await stage.once('square', () => stage.channel({ subscribers: stage.present() }));
  return by.post('/messages', { type: 'channel', to: square.id, topic: 'calls', content: `@*${name}*` });
}

/** An act that managers of a group may do, and some others in part. */
interface Doing {
  readonly what: string;
  /** The members and subgroups of the group before the act. */
  readonly having?: (stage: Stage, by: Person) => Params;
  readonly does: (by: Person, group: Group, stage: Stage) => Promise<Answer>;
}

const JOINING: Doing = { what: 'coming in', does: (by, group) => members(by, group, { add: [by.id] }) };
const LEAVING: Doing = {
  what: 'going out',
  having: (stage, by) => ({ members: stage.present([by]) }),
  does: (by, group) => members(by, group, { delete: [by.id] }),
};
const PUTTING_IN: readonly Doing[] = [
  { what: 'putting somebody in', does: (by, group, { bystander }) => members(by, group, { add: [bystander.id] }) },
  { what: 'putting a group in', does: (by, group, { empty }) => subgroups(by, group, { add: [empty] }) },
  {
    what: 'coming in with a group',
    does: (by, group, { empty }) => members(by, group, { add: [by.id], add_subgroups: [empty] }),
  },
];
const TAKING_OUT: readonly Doing[] = [
  {
    what: 'taking somebody out',
    having: ({ bystander }) => ({ members: [bystander.id] }),
    does: (by, group, { bystander }) => members(by, group, { delete: [bystander.id] }),
  },
  {
    what: 'taking a group out beside its members',
    having: ({ empty }) => ({ subgroups: [empty] }),
    does: (by, group, { empty }) => members(by, group, { delete_subgroups: [empty] }),
  },
];
const CALLING: Doing = { what: 'calling it', does: (by, group, stage) => call(stage, by, group) };
const MANAGING: readonly Doing[] = [
  JOINING,
  LEAVING,
  ...PUTTING_IN,
  ...TAKING_OUT,
  CALLING,
  {
    what: 'taking a group out',
    having: ({ empty }) => ({ subgroups: [empty] }),
    does: (by, group, { empty }) => subgroups(by, group, { delete: [empty] }),
  },
  { what: 'renaming it', does: (by, group, stage) => change(by, group, { name: stage.word() }) },
  { what: 'describing it', does: (by, group) => change(by, group, { description: 'changed' }) },
  {
    what: 'giving a permission of it',
    does: (by, group, { groups }) => change(by, group, { can_join_group: { new: groups['members'] } }),
  },
  { what: 'deactivating it', does: (by, { id }) => by.post(`/user_groups/${id}/deactivate`) },
];

const act = (setting: string, { what, having, does }: Doing): Act => ({
  setting,
  what,
  // Calling is no endpoint of groups.
  never: what === CALLING.what ? [] : GUESTS,
  async attempt(stage, value, by) {
    await stage.organization({ can_manage_all_groups: stage.empty });
    const group = await stage.group({ ...having?.(stage, by), [setting]: value });
    return does(by, group, stage);
  },
});

/** The acts that each permission of a group allows (contract/groups.md section 2, contract/messages.md section 3.1). */
export const GROUP_ACTS: readonly Act[] = [
  ...[JOINING, ...PUTTING_IN].map((doing) => act('can_add_members_group', doing)),
  act('can_join_group', JOINING),
  act('can_leave_group', LEAVING),
  ...[LEAVING, ...TAKING_OUT].map((doing) => act('can_remove_members_group', doing)),
  ...MANAGING.map((doing) => act('can_manage_group', doing)),
  act('can_mention_group', CALLING),
];

/** The same for all groups at once, by the organization. */
export const MANAGING_ALL: readonly Act[] = MANAGING.map((doing) => ({
  ...act('can_manage_all_groups', doing),
  async attempt(stage, value, by) {
    await stage.organization({ can_manage_all_groups: value });
    return doing.does(by, await stage.group({ ...doing.having?.(stage, by) }), stage);
  },
}));
