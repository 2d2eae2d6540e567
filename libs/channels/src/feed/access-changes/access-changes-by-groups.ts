import type { GroupHistory, MembersAdded, MembersRemoved, SubgroupsAdded, SubgroupsRemoved } from '@annals/groups';
import { readGroupHistory, readRoleHistory } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { FactOf, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { Reader } from '../../domain/channel/access';
import type { ChannelHistory } from '../channels-at';
import { channelsAt } from '../channels-at';
import { channelsNaming } from './channels-naming-groups';
import type { AccessChange } from './access-changes';

type MembersChange = Recorded<FactOf<typeof MembersAdded> | FactOf<typeof MembersRemoved>>;
type NestingChange = Recorded<FactOf<typeof SubgroupsAdded> | FactOf<typeof SubgroupsRemoved>>;
type GroupChange = MembersChange | NestingChange;

const TYPES: readonly GroupChange['type'][] = [
  'groups.MembersAdded',
  'groups.MembersRemoved',
  'groups.SubgroupsAdded',
  'groups.SubgroupsRemoved',
];

export const isGroupChange = (event: Recorded): event is GroupChange =>
  (TYPES as readonly string[]).includes(event.type);

/**
 * Access changes of users who joined or left groups in the settings of private channels, directly or through a
 * subgroup.
 */
export async function accessChangesByGroups(
  reader: FeedReader,
  changes: readonly GroupChange[],
  channels: ChannelHistory,
): Promise<AccessChange[]> {
  if (changes.length === 0) return [];
  const { nesting } = await readGroupHistory(reader, []);
  const felt = changes
    .map((on) => ({
      on,
      channels: channelsNaming(nesting(on).above(on.data.groupId), channelsAt(channels, on.position)),
    }))
    .filter((change) => change.channels.length > 0);
  if (felt.length === 0) return [];
  const users = felt.some(({ on }) => !isMembersChange(on)) ? null : felt.flatMap(({ on }) => membersIn(on));
  const history = await readGroupHistory(reader, users);
  const roleAt = await readRoleHistory(reader, users);
  return felt.flatMap((change) => {
    const { on } = change;
    return (isMembersChange(on) ? on.data.userIds : history.users).flatMap((userId) => {
      const role = roleAt(userId, on.position);
      return role === null ? [] : accessChangeOf(change, { userId, role }, history);
    });
  });
}

/** Nothing else happened at the event's position, so the state one position earlier is the state before the event. */
function accessChangeOf(
  { on, channels }: Pick<AccessChange, 'channels'> & { readonly on: GroupChange },
  holder: Pick<Reader, 'userId' | 'role'>,
  history: GroupHistory,
): AccessChange[] {
  const before = history.groupsOf(holder, { position: (on.position - 1) as Position, at: on.at });
  const after = history.groupsOf(holder, on);
  if (before.size === after.size) return [];
  return [{ on, channels, before: { ...holder, groups: before }, after: { ...holder, groups: after } }];
}

const isMembersChange = (on: GroupChange): on is MembersChange =>
  on.type === 'groups.MembersAdded' || on.type === 'groups.MembersRemoved';

const membersIn = (on: GroupChange): readonly UserId[] => (isMembersChange(on) ? on.data.userIds : []);
