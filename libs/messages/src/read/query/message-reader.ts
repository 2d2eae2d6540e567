import { Kernel } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { UserAccess } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { maskInaccessibleUsers, sendersOf } from '../content/inaccessible-users';
import { MessageLoader } from '../content/message-loader';
import type { LoadedMessages } from '../content/message-row';
import { withoutUnseenPast } from '../content/readable-past';
import { flagsOfAll } from '../unread/message-flags-query';
import { MessageStates } from '../unread/message-states';

/** Messages as one account sees them. */
export interface SeenMessages {
  /** Ascending. */
  readonly ids: readonly MessageId[];
  readonly loaded: LoadedMessages;
  readonly flags: ReadonlyMap<MessageId, readonly string[]>;
}

/** Reads messages as a user sees them, with the flags of that user. */
@Injectable()
export class MessageReader {
  constructor(
    private readonly kernel: Kernel,
    private readonly loader: MessageLoader,
    private readonly states: MessageStates,
    private readonly userAccess: UserAccess,
  ) {}

  /** Reads messages for a user who has passed the fence; those that the user cannot see are left out. @param ids ascending */
  async read(by: Actor, ids: readonly MessageId[]): Promise<SeenMessages> {
    const all = await this.loader.load(by.realmId, ids);
    const known = maskInaccessibleUsers(all, await this.userAccess.inaccessibleAmong(by, sendersOf(all)));
    const loaded = await withoutUnseenPast(this.kernel, by, known);
    // A message that the account cannot see has no flags.
    const states = await this.states.of(by, [...loaded.rows.values()]);
    const flags = await flagsOfAll(this.kernel.database.pool, by, loaded.rows, states);
    return { ids: ids.filter((id) => flags.has(id)), loaded, flags };
  }
}
