import type { FeedReader, PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { containsSql, definePresenter } from '@annals/kernel';
import type { GroupId, Position, UserId } from '@annals/kernel/domain';
import { ascending, namedBy, namedInSettings } from '@annals/kernel/domain';
import { departedAmong } from '@annals/users';
import type { Nesting } from '../domain/nesting';
import type { GroupRow } from '../read/group-row';
import { readGroups } from '../read/group-row';
import { presentGroup, presentSetting } from '../read/present-group';
import { readNestingHistory } from '../read/spans';
import type { GroupPayload } from './payloads';

/** Groups as they are now, with their members and subgroups at each event that shows a whole group. */
interface Loaded {
  readonly groups: ReadonlyMap<GroupId, GroupRow>;
  readonly departed: ReadonlySet<UserId>;
  readonly nestingAt: (position: Position) => Nesting;
  readonly membersAt: ReadonlyMap<Position, readonly UserId[]>;
}

type Wire = Record<string, unknown>;

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as GroupPayload;

/** contract/groups.md section 4, realtime.md section 2.1 (`include_deactivated_groups`) */
export const groupsPresenter = definePresenter<Loaded | null>({
  type: 'user_group',
  load: async (reader, events) => (events.every(isAboutIds) ? null : load(reader, events)),
  present: (event, loaded, queue) =>
    contentsOf(event, loaded, queue).map((contents) => ({ type: 'user_group', ...contents })),
  variant: (event, _, { capabilities }) =>
    isAboutIds(event) ? 'all' : String(capabilities.include_deactivated_groups),
});

function contentsOf(event: PositionedClientEvent, loaded: Loaded | null, { capabilities }: QueueProfile): Wire[] {
  const payload = payloadOf(event);
  const { groupId } = payload;
  const knowsDeactivated = capabilities.include_deactivated_groups;
  const update = (data: Wire): Wire => ({ op: 'update', group_id: groupId, data });
  switch (payload.op) {
    case 'add_members':
    case 'remove_members':
      return [{ op: payload.op, group_id: groupId, user_ids: payload.userIds }];
    case 'add_subgroups':
    case 'remove_subgroups':
      return [{ op: payload.op, group_id: groupId, direct_subgroup_ids: payload.subgroupIds }];
    case 'add':
      return [{ op: 'add', group: wholeGroup(event, known(loaded)) }];
    case 'deactivate':
      return [knowsDeactivated ? update({ deactivated: true }) : { op: 'remove', group_id: groupId }];
    case 'reactivate':
      return [
        knowsDeactivated ? update({ deactivated: false }) : { op: 'add', group: wholeGroup(event, known(loaded)) },
      ];
    case 'rename':
      return payload.isDeactivated && !knowsDeactivated ? [] : [update({ name: rowOf(groupId, known(loaded)).name })];
    case 'describe':
      return [update({ description: rowOf(groupId, known(loaded)).description })];
    case 'set':
      return [update({ [payload.setting]: presentSetting(payload.value, known(loaded).departed) })];
  }
}

/** Events whose payload is complete. These are most, since members change more often than groups. */
function isAboutIds(event: PositionedClientEvent): boolean {
  const { op } = payloadOf(event);
  return op.endsWith('_members') || op.endsWith('_subgroups');
}

const showsWhole = (event: PositionedClientEvent): boolean => ['add', 'reactivate'].includes(payloadOf(event).op);

async function load(reader: FeedReader, events: readonly PositionedClientEvent[]): Promise<Loaded> {
  const { client, realmId } = reader;
  const groups = new Map((await readGroups(client, realmId)).map((group) => [group.groupId, group]));
  const set = events.flatMap((event) => {
    const payload = payloadOf(event);
    return payload.op === 'set' ? [payload.value] : [];
  });
  const shown = events.filter(showsWhole);
  const rows = shown.flatMap((event) => groups.get(payloadOf(event).groupId) ?? []);
  return {
    groups,
    departed: await departedAmong(client, realmId, [...namedBy(set), ...namedInSettings(rows)]),
    nestingAt: await readNestingHistory(reader),
    membersAt: await readMembersAt(reader, shown),
  };
}

/** Direct members of the group at each event that shows it: active accounts, ascending. */
async function readMembersAt({ client, realmId }: FeedReader, shown: readonly PositionedClientEvent[]) {
  if (shown.length === 0) return new Map<Position, UserId[]>();
  const { rows } = await client.query<{ position: Position; users: UserId[] }>({
    name: 'groups-members-at',
    text: `SELECT a.position, array_agg(m.user_id ORDER BY m.user_id) AS users
      FROM unnest($2::int4[], $3::int8[]) AS a(group_id, position)
      JOIN view.group_members AS m ON m.realm_id = $1 AND m.group_id = a.group_id
        AND ${containsSql('m', 'a.position')}
      JOIN view.account_spans AS s ON s.realm_id = $1 AND s.user_id = m.user_id AND s.is_active
        AND ${containsSql('s', 'a.position')}
      GROUP BY a.position`,
    values: [realmId, shown.map((event) => payloadOf(event).groupId), shown.map(({ position }) => position)],
  });
  return new Map(rows.map(({ position, users }) => [position, users]));
}

function wholeGroup(event: PositionedClientEvent, { groups, departed, nestingAt, membersAt }: Loaded): Wire {
  const { position } = event;
  const { groupId } = payloadOf(event);
  const directSubgroups = ascending(nestingAt(position).directlyBelow(groupId));
  const group = { ...rowOf(groupId, { groups }), directSubgroups, isDeactivated: false };
  return presentGroup({ group, members: membersAt.get(position) ?? [], departed });
}

function rowOf(id: GroupId, { groups }: Pick<Loaded, 'groups'>): GroupRow {
  const group = groups.get(id);
  if (!group) throw new Error(`group ${id} does not exist`);
  return group;
}

function known(loaded: Loaded | null): Loaded {
  if (!loaded) throw new Error('groups were not read for an event that shows them');
  return loaded;
}
