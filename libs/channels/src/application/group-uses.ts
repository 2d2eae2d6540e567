import type { ChannelUse } from '@annals/groups';
import { GroupUses } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { GroupId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { CHANNELS_USING, groupUnused } from './guards';

/** The uses of groups in channels, for the context of groups. */
@Injectable()
export class KnownGroupUses extends GroupUses {
  override readonly unused = groupUnused;

  constructor(private readonly kernel: Kernel) {
    super();
  }

  override async inChannels(realmId: RealmId, group: GroupId): Promise<readonly ChannelUse[]> {
    const { rows } = await this.kernel.database.pool.query<ChannelUse>({
      name: 'channels-using-group',
      text: CHANNELS_USING,
      values: [realmId, group],
    });
    return rows;
  }
}
