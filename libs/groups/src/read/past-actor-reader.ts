import { Past } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { AccountThen } from '@annals/realm';
import { PastActors, readRealm } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { readUsers } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { isFullMember, narrowestSystemGroup } from '../domain/system-groups';
import { actorOfAccount } from './actor-of-account';
import { readDirectHistory, readNestingHistory } from './spans';

/** Makes actors of accounts at a position of the log. */
@Injectable()
export class PastActorReader extends PastActors {
  constructor(private readonly past: Past) {
    super();
  }

  override actorAt({ userId, at, origin, ...moment }: AccountThen): Promise<Actor | null> {
    const { realmId } = moment;
    const read = async (client: ClientBase) => {
      const [user] = await readUsers(client, realmId, [userId]);
      if (!user?.isActive || user.isDeleted) return null;
      return actorOfAccount(user, { groups: await readGroupsAt(client, user, { ...moment, at }), origin });
    };
    return this.past.read(moment, ({ thenOnly }) => read(thenOnly({ users: { column: 'user_id', values: [userId] } })));
  }
}

/** All groups of an active account, also through subgroups. None for the server's own accounts. */
async function readGroupsAt(
  client: ClientBase,
  user: UserRow,
  { realmId, position, at }: Pick<AccountThen, 'realmId' | 'position' | 'at'>,
): Promise<Actor['groups']> {
  const realm = await readRealm(client, realmId);
  if (!realm || user.isSystemBot) return new Set();
  const isFull = isFullMember(user, realm.settings.waiting_period_threshold, at);
  const direct = await readDirectHistory({ client, realmId }, [user.userId]);
  const nesting = await readNestingHistory({ client, realmId });
  const byRole = realm.systemGroups[narrowestSystemGroup(user.role, isFull)];
  return nesting(position).reachedFrom([byRole, ...direct(user.userId, position)]);
}
