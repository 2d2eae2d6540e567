import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetPresence } from '../application/get-presence';
import { HISTORY_DAYS, PresenceLists } from '../application/presence-lists';
import { UpdatePresence } from '../application/update-presence';
import { bothForms } from '../read/present-presence';
import { GetPresenceParams, UpdatePresenceParams, queryOf } from './presence.params';
import { legacyAnswerShape, onePresenceShape, pingAnswerShape } from './shapes';

/** A ping is no act that another process may have forbidden a moment ago: a batch leaves out who is gone. */
const MAX_AGE_MS = 50;

@Controller()
export class PresenceController {
  constructor(
    private readonly kernel: Kernel,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly lists: PresenceLists,
  ) {}

  /** contract/realtime.md section 8 */
  @Endpoint('POST', 'users/me/presence', {
    audience: 'humans',
    section: 'realtime 8',
    summary: 'Update your presence',
    command: 'UpdatePresence',
    maxAgeMs: MAX_AGE_MS,
    returns: pingAnswerShape,
  })
  async update(@By() by: Actor, @Params(UpdatePresenceParams) p: UpdatePresenceParams) {
    await this.commands.execute(new UpdatePresence(by, p.status));
    if (p.ping_only) return {};
    const { presences, lastUpdateId } = await this.lists.list(by, queryOf(p));
    return { presences, presence_last_update_id: lastUpdateId, server_timestamp: this.serverTime() };
  }

  /** contract/realtime.md section 8 */
  @Endpoint('GET', 'realm/presence', {
    audience: 'anyone',
    section: 'realtime 8',
    summary: 'Get the presence of all users',
    returns: legacyAnswerShape,
  })
  async list(@By() by: Actor) {
    const { presences } = await this.lists.list(by, { form: 'legacy', since: -1, historyDays: HISTORY_DAYS });
    return { presences, server_timestamp: this.serverTime() };
  }

  /** contract/realtime.md section 8 */
  @Endpoint('GET', 'users/:user_id_or_email/presence', {
    audience: 'anyone',
    section: 'realtime 8',
    summary: 'Get the presence of a user',
    returns: onePresenceShape,
  })
  async show(@By() by: Actor, @Params(GetPresenceParams) { user_id_or_email }: GetPresenceParams) {
    const presence = await this.queries.execute(new GetPresence(by, user_id_or_email));
    return { presence: bothForms(presence, this.kernel.clock.now()), server_timestamp: this.serverTime() };
  }

  private serverTime(): number {
    return this.kernel.clock.now() / 1_000;
  }
}
