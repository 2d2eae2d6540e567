import type { RegisterSnapshot } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { presentUser } from './present-user';
import type { UserRow } from './user-row';
import { readChangedUsers } from './user-row';

type List = 'realm_users' | 'realm_non_active_users' | 'cross_realm_bots';
/** Everybody in three lists, as the wire has them (contract/boot.md section 4.2). */
export type Directory = Readonly<Record<List, ReadyJson>>;

interface Entry {
  readonly list: List;
  readonly text: string;
}

/**
 * The directory of a snapshot. Everybody who registers gets the same, and few accounts change in between: the text of each
 * account is kept, and what changed since is read by the positions of the rows.
 */
export function readDirectory(
  { client, realmId, position, memory }: RegisterSnapshot,
  clientGravatar: boolean,
): Promise<Directory> {
  const key = `users.directory ${realmId} ${clientGravatar}`;
  const kept = memory.of(key, () => new KeptDirectory(realmId, clientGravatar));
  return kept.at(client, position);
}

class KeptDirectory {
  private people = new Map<UserId, Entry>();
  private lists: Directory | null = null;
  /** The last position whose changes are in it. */
  private position = 0 as Position;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly realmId: RealmId,
    private readonly clientGravatar: boolean,
  ) {}

  /** One after the other: each brings it up to its own snapshot. */
  at(client: ClientBase, position: Position): Promise<Directory> {
    const turn = this.last.then(() => this.upTo(client, position));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async upTo(client: ClientBase, position: Position): Promise<Directory> {
    if (position < this.position) return this.afresh(client, position);
    const changed = await readChangedUsers(client, this.realmId, this.position);
    for (const user of changed) this.people.set(user.userId, this.entryOf(user));
    if (changed.length > 0 || this.lists === null) this.lists = listsOf(this.people);
    this.position = position;
    return this.lists;
  }

  /** For a snapshot that is older than what is kept, because another one overtook it. */
  private afresh(client: ClientBase, position: Position): Promise<Directory> {
    return new KeptDirectory(this.realmId, this.clientGravatar).upTo(client, position);
  }

  private entryOf(user: UserRow): Entry {
    const { is_active, ...shown } = presentUser(user, { clientGravatar: this.clientGravatar, profileData: true });
    const list = user.isSystemBot ? 'cross_realm_bots' : is_active ? 'realm_users' : 'realm_non_active_users';
    return { list, text: JSON.stringify(shown) };
  }
}

function listsOf(people: ReadonlyMap<UserId, Entry>): Directory {
  const texts: Record<List, string[]> = { realm_users: [], realm_non_active_users: [], cross_realm_bots: [] };
  for (const [, { list, text }] of [...people].sort(([a], [b]) => a - b)) texts[list].push(text);
  const joined = (list: List) => new ReadyJson(`[${texts[list].join()}]`);
  return {
    realm_users: joined('realm_users'),
    realm_non_active_users: joined('realm_non_active_users'),
    cross_realm_bots: joined('cross_realm_bots'),
  };
}
