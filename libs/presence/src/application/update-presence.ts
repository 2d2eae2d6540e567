import { Kernel } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { CameOnline, PresenceStatus } from '../domain/presence';
import { ping } from '../domain/presence';
import { Presences } from './presences';

/**
 * Most users with a presence in an organization whose clients receive an event when somebody comes online. In larger ones
 * these events are too many, and clients receive the presence with the answer to their next ping.
 */
const MAX_NOTIFIED = 1_000;

/** A client of the actor is connected (contract/realtime.md section 8). Nothing is added to the log. */
export class UpdatePresence extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly status: PresenceStatus,
  ) {
    super();
  }
}

@CommandHandler(UpdatePresence)
export class UpdatePresenceHandler implements ICommandHandler<UpdatePresence> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly users: UserFacts,
    private readonly settings: OwnSettingsFacts,
    private readonly presences: Presences,
  ) {}

  async execute({ by, status }: UpdatePresence): Promise<void> {
    const { realmId, userId } = by;
    const begin = this.presences.mark();
    if (!(await this.isShown(by))) return;
    const account = await this.users.account(realmId, userId);
    const known = await this.presences.of(realmId);
    if (!account?.isActive || this.presences.endedSince(begin, by)) return;
    const at = this.kernel.clock.now();
    const { presence, cameOnline } = ping(known.of(userId), status, at, account.joinedAt);
    if (!presence) return;
    known.ping(userId, presence);
    if (cameOnline && known.size <= MAX_NOTIFIED) this.notify(realmId, { ...presence, userId, at });
  }

  private async isShown({ realmId, userId }: Actor): Promise<boolean> {
    const { settings } = await this.realms.of(realmId);
    return !settings.presence_disabled && (await this.settings.of(realmId, userId)).presence_enabled;
  }

  private notify(realmId: RealmId, payload: CameOnline): void {
    const audience = { kind: 'everyone' } as const;
    this.kernel.signals.send(realmId, { type: 'presence', audience, payload: { ...payload } });
  }
}
