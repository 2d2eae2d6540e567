import type { GroupHistory, Nesting, FullMemberChange } from '@annals/groups';
import { readGroupHistory } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { GroupId, LogPoint, Position, Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import type { Reader } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import type { ChannelHistory } from '../channels-at';
import { channelsAt } from '../channels-at';
import { channelsNaming } from './channels-naming-groups';
import type { AccessChange } from './access-changes';

/**
 * Access changes of members who became full members, or stopped being ones, by a new waiting period or a first login.
 * Only channels whose permissions depend on full membership are compared.
 */
export async function accessChangesByFullMembers(
  reader: FeedReader,
  events: readonly Recorded[],
  fullMemberChanges: ReadonlyMap<Position, FullMemberChange>,
  channels: ChannelHistory,
): Promise<AccessChange[]> {
  if (fullMemberChanges.size === 0) return [];
  const { nesting, systemGroups } = await readGroupHistory(reader, []);
  const felt = events.flatMap((on) => {
    const change = fullMemberChanges.get(on.position);
    if (!change) return [];
    const reserved = reservedGroups(nesting(on), systemGroups);
    const naming = channelsNaming(reserved, channelsAt(channels, on.position));
    return naming.length > 0 ? [{ on, ...change, channels: naming }] : [];
  });
  if (felt.length === 0) return [];
  const people = felt.flatMap(({ became, ceased }) => [...became, ...ceased]);
  const history = await readGroupHistory(reader, people);
  return felt.flatMap(({ on, became, ceased, channels: naming }) => [
    ...became.map((user) => becomesFullMember(on, user, naming, history)),
    ...ceased.map((user) => reversed(becomesFullMember(on, user, naming, history))),
  ]);
}

/** Groups that contain full members and not other members. */
function reservedGroups({ above }: Nesting, { fullmembers, members }: SystemGroups): ReadonlySet<GroupId> {
  const open = above(members);
  return new Set([...above(fullmembers)].filter((group) => !open.has(group)));
}

/** A member becomes a full member, and becomes a member of the groups of full members. */
function becomesFullMember(
  on: LogPoint,
  userId: UserId,
  channels: readonly Channel[],
  history: GroupHistory,
): AccessChange {
  const { fullmembers, members } = history.systemGroups;
  const nesting = history.nesting(on);
  const others = [members, ...history.directlyWith(userId, on)];
  const as = (direct: readonly GroupId[]): Reader => ({
    userId,
    role: Role.member,
    groups: nesting.reachedFrom(direct),
  });
  return { on, before: as(others), after: as([fullmembers, ...others]), channels };
}

const reversed = ({ before, after, ...change }: AccessChange): AccessChange => ({
  ...change,
  before: after,
  after: before,
});
