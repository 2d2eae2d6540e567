import { readGroupHistory } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { FactOf, LogPoint, Recorded } from '@annals/kernel/domain';
import type { Role } from '@annals/kernel/domain';
import type { RoleChanged } from '@annals/users';
import type { Reader } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import type { ChannelHistory } from '../channels-at';
import { channelsAt } from '../channels-at';

/** A user before and after an event that changed their role or groups. */
export interface AccessChange {
  readonly on: LogPoint;
  readonly before: Reader;
  readonly after: Reader;
  /** Channels whose visibility the event may have changed. */
  readonly channels: readonly Channel[];
}

export type RoleChange = Recorded<FactOf<typeof RoleChanged>>;

/** Access changes of users with a new role: all channels are compared. */
export async function accessChangesByRole(
  reader: FeedReader,
  changes: readonly RoleChange[],
  channels: ChannelHistory,
): Promise<AccessChange[]> {
  const active = changes.filter(({ data }) => data.isActive);
  if (active.length === 0) return [];
  const history = await readGroupHistory(
    reader,
    active.map(({ data }) => data.userId),
  );
  return active.map((on) => {
    const { userId, from, to } = on.data;
    const as = (role: Role): Reader => ({ userId, role, groups: history.groupsOf({ userId, role }, on) });
    return { on, before: as(from), after: as(to), channels: channelsAt(channels, on.position) };
  });
}
