import type { Actor } from '@annals/kernel/domain';
import { channelId, messageId, nullable, t } from '@annals/kernel/domain';
import { By, Endpoint, Params, WordParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { NarrowFlagChange } from '../application/flags/change-flags-in-narrow';
import { ChangeFlagsInNarrow } from '../application/flags/change-flags-in-narrow';
import type { EditableFlag, FlagOperation } from '../domain/flags/flag-events';
import { EDITABLE_FLAGS, FLAG_OPERATIONS } from '../domain/flags/flag-events';
import { parseNarrow } from '../read/narrow/narrow-terms';
import { MessagePageParams, toPage } from './get-messages.params';

class NarrowFlagsParams extends MessagePageParams {
  @WordParam(FLAG_OPERATIONS) op: FlagOperation;
  @WordParam(EDITABLE_FLAGS) flag: EditableFlag;
}

const changeShape = t.Object({
  processed_count: t.Integer({ description: 'Messages of the page.' }),
  updated_count: t.Integer({ description: 'Messages whose flag changed.' }),
  first_processed_id: nullable(messageId),
  last_processed_id: nullable(messageId),
  found_oldest: t.Boolean(),
  found_newest: t.Boolean(),
  ignored_because_not_subscribed_channels: t.Array(channelId, {
    description: 'Channels whose messages stay read, because the user is not subscribed.',
  }),
});

@Controller()
export class NarrowFlagsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/messages.md section 8 */
  @Endpoint('POST', 'messages/flags/narrow', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Add a flag to the messages of a narrow or remove it',
    command: 'ChangeFlagsInNarrow',
    returns: changeShape,
  })
  async change(@By() by: Actor, @Params(NarrowFlagsParams) p: NarrowFlagsParams) {
    const { op, flag } = p;
    const command = new ChangeFlagsInNarrow(by, parseNarrow(p.narrow), toPage(p), { flag, op });
    return presentChange(await this.commands.execute(command));
  }
}

const presentChange = ({ ids, changed, foundOldest, foundNewest, ignoredChannels }: NarrowFlagChange) => ({
  processed_count: ids.length,
  updated_count: changed.length,
  first_processed_id: ids[0] ?? null,
  last_processed_id: ids.at(-1) ?? null,
  found_oldest: foundOldest,
  found_newest: foundNewest,
  ignored_because_not_subscribed_channels: ignoredChannels,
});
