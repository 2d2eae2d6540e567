import type { Actor } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { GetUser } from '@annals/users';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { Presence } from '../domain/presence';
import { reject } from '../domain/rejections';
import { Presences } from './presences';

/**
 * The presence of one user by id or email.
 *
 * @throws Rejected BAD_REQUEST for bots, for users without a presence, and for those that the actor may not see
 */
export class GetPresence extends Query<Presence> {
  constructor(
    readonly by: Actor,
    readonly named: string,
  ) {
    super();
  }
}

@QueryHandler(GetPresence)
export class GetPresenceHandler implements IQueryHandler<GetPresence> {
  constructor(
    private readonly queries: QueryBus,
    private readonly realms: RealmFacts,
    private readonly presences: Presences,
  ) {}

  async execute({ by, named }: GetPresence): Promise<Presence> {
    const user = await this.queries.execute(new GetUser(by, named));
    if (!user.isActive) throw reject.noSuchUser();
    if (user.botType !== null) throw reject.botsHaveNone();
    const { settings } = await this.realms.of(by.realmId);
    const presence = settings.presence_disabled ? undefined : (await this.presences.of(by.realmId)).of(user.userId);
    if (!presence) throw reject.noData({ user: named });
    return presence;
  }
}
