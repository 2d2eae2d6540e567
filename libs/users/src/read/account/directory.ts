import type { RegisterSnapshot } from '@annals/kernel';
import { longWork } from '@annals/kernel';
import type { Position, RealmId, Role, UserId } from '@annals/kernel/domain';
import { ReadyJson, Role as Roles } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { EmailOwner } from '../../domain/email/email-visibility';
import { hasOpenEmail, seesEmailByRole } from '../../domain/email/email-visibility';
import { presentUser } from './present-user';
import type { ProfileData } from '../profile/profiles';
import { NO_PROFILE, readChangedProfiles, readProfiles } from '../profile/profiles';
import { unknownUser } from './unknown-user';
import type { UserRow } from './user-row';
import { readAllUsers, readChangedUsers } from './user-row';
import type { Viewer } from './viewer';

type List = 'realm_users' | 'realm_non_active_users' | 'cross_realm_bots';
/** All users in three lists, in the form of the API (contract/boot.md section 4.2). */
export type Directory = Readonly<Record<List, ReadyJson>>;

/** For guests who may not see everybody (contract/permissions.md section 7). */
export interface Gaps {
  /** The users whom they can see. */
  readonly known: ReadonlySet<UserId>;
  /** Whether each of the others has a placeholder. */
  readonly isNamed: boolean;
}

/** Accounts whose texts are written at a stretch, before other work runs. */
const AT_ONCE = 200;

interface Entry extends EmailOwner {
  readonly list: List;
  /** For viewers who see the real email. */
  readonly open: string;
  /** For viewers who do not. The same if everybody sees it. */
  readonly hidden: string;
}

/**
 * The directory of a snapshot for a viewer. It is the same for all viewers with a role, except for their own entry, and
 * few accounts change in between. So the texts of each account are cached, and changed ones are found by the positions
 * of their rows.
 */
export function readDirectory(
  { client, realmId, position, memory }: RegisterSnapshot,
  viewer: Viewer,
  clientGravatar: boolean,
  gaps: Gaps | null = null,
): Promise<Directory> {
  const look = { mailDomain: viewer.mailDomain, clientGravatar };
  const kept = memory.of(
    `users.directory ${realmId} ${Object.values(look).join(' ')}`,
    () => new CachedDirectory(realmId, look),
  );
  return kept.at(client, position, viewer, gaps);
}

class CachedDirectory {
  private people = new Map<UserId, Entry>();
  private readonly byRole = new Map<Role, Directory>();
  /** By the kinds of hidden emails: if no user hides theirs, all roles share one. */
  private readonly byHidden = new Map<string, Directory>();
  /** The placeholders of hidden users. They are the same for all guests and never change. */
  private readonly unknown = new Map<UserId, Entry>();
  /** The last position whose changes are in it. */
  private position = 0 as Position;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly realmId: RealmId,
    private readonly look: Pick<Viewer, 'mailDomain'> & { readonly clientGravatar: boolean },
  ) {}

  /** One after the other: each brings it to its own snapshot. */
  at(client: ClientBase, position: Position, viewer: Viewer, gaps: Gaps | null): Promise<Directory> {
    const turn = this.last.then(() => this.upTo(client, position, viewer, gaps));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async upTo(client: ClientBase, position: Position, viewer: Viewer, gaps: Gaps | null): Promise<Directory> {
    if (position < this.position) return this.afresh(client, position, viewer, gaps);
    const changed = await this.changed(client);
    const ids = changed.map(({ userId }) => userId);
    const profiles = await readProfiles(client, this.realmId, ids);
    const entryOf = (user: UserRow) => this.entryOf(user, profiles.get(user.userId) ?? NO_PROFILE);
    for (const entry of await longWork.map(`${this.realmId}:${viewer.userId}`, changed, AT_ONCE, entryOf)) {
      this.people.set(entry.userId, entry);
    }
    if (changed.length > 0) for (const lists of [this.byRole, this.byHidden]) lists.clear();
    this.position = position;
    return gaps ? listsOf(this.withGaps(viewer, gaps), viewer.role) : this.for(viewer);
  }

  /** The accounts that changed, or whose profile did, and perhaps others. */
  private async changed(client: ClientBase): Promise<UserRow[]> {
    const others = this.people.size === 0 ? [] : await readChangedProfiles(client, this.realmId, this.position);
    if (others === 'perhaps everybody') return readAllUsers(client, this.realmId);
    return readChangedUsers(client, this.realmId, this.position, others);
  }

  /** For a snapshot that is older than the cache, because another one overtook it. */
  private afresh(client: ClientBase, position: Position, viewer: Viewer, gaps: Gaps | null): Promise<Directory> {
    return new CachedDirectory(this.realmId, this.look).upTo(client, position, viewer, gaps);
  }

  /** A placeholder does not reveal whether its user is active. */
  private withGaps({ userId }: Viewer, { known, isNamed }: Gaps): ReadonlyMap<UserId, Entry> {
    const shown = new Map<UserId, Entry>();
    for (const [id, entry] of this.people) {
      if (id === userId) shown.set(id, { ...entry, hidden: entry.open });
      else if (known.has(id)) shown.set(id, entry);
      else if (isNamed) shown.set(id, this.unknownOf(id));
    }
    return shown;
  }

  private unknownOf(userId: UserId): Entry {
    const known = this.unknown.get(userId) ?? this.entryOf(unknownUser({ realmId: this.realmId, userId }), NO_PROFILE);
    this.unknown.set(userId, known);
    return known;
  }

  private for(viewer: Viewer): Directory {
    const shared = this.sharedBy(viewer.role);
    const own = this.people.get(viewer.userId);
    if (!own || seesEmailByRole(viewer.role, own)) return shared;
    // An entry begins with its id, in quotes that no text of users can contain, so it occurs once.
    const text = shared[own.list].text.replace(own.hidden, () => own.open);
    return { ...shared, [own.list]: new ReadyJson(text) };
  }

  private sharedBy(role: Role): Directory {
    const known = this.byRole.get(role);
    if (known) return known;
    const hiding = [...this.people.values()].filter((one) => !seesEmailByRole(role, one));
    const kinds = [...new Set(hiding.map((one) => one.addressVisibility))].sort().join();
    const lists = this.byHidden.get(kinds) ?? listsOf(this.people, role);
    this.byHidden.set(kinds, lists);
    this.byRole.set(role, lists);
    return lists;
  }

  private entryOf(user: UserRow, profileData: ProfileData): Entry {
    const { userId, botType, addressVisibility, isSystemBot, isActive } = user;
    const list = isSystemBot ? 'cross_realm_bots' : isActive ? 'realm_users' : 'realm_non_active_users';
    const open = this.textOf(user, user, profileData);
    const hidden = hasOpenEmail(user) ? open : this.textOf(user, LEAST_PRIVILEGED_VIEWER, profileData);
    return { list, userId, botType, addressVisibility, open, hidden };
  }

  private textOf(user: UserRow, { userId, role }: Pick<Viewer, 'userId' | 'role'>, profileData: ProfileData): string {
    const { mailDomain, clientGravatar } = this.look;
    const { is_active: _, ...shown } = presentUser(user, { userId, role, mailDomain }, { clientGravatar, profileData });
    return JSON.stringify(shown);
  }
}

/** A viewer who sees no email that is hidden from anybody. */
const LEAST_PRIVILEGED_VIEWER = { userId: 0 as UserId, role: Roles.guest };

function listsOf(people: ReadonlyMap<UserId, Entry>, role: Role): Directory {
  const texts: Record<List, string[]> = { realm_users: [], realm_non_active_users: [], cross_realm_bots: [] };
  for (const [, entry] of [...people].sort(([a], [b]) => a - b)) {
    texts[entry.list].push(seesEmailByRole(role, entry) ? entry.open : entry.hidden);
  }
  const joined = (list: List) => new ReadyJson(`[${texts[list].join()}]`);
  return {
    realm_users: joined('realm_users'),
    realm_non_active_users: joined('realm_non_active_users'),
    cross_realm_bots: joined('cross_realm_bots'),
  };
}
