import type { PastSnapshot } from '@annals/kernel';
import { Past } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { emailKey, placeholderId } from '../../domain/account/names';
import { EmailVisibility, seesEmail } from '../../domain/email/email-visibility';
import { isGenerated } from '../../domain/profile/avatar';
import { reject } from '../../domain/rejections';
import { readProfiles } from '../profile/profiles';
import type { ProfileData } from '../profile/profiles';
import { UserAccess } from './user-access';
import type { UserRow } from './user-row';
import { readAllUsers, readHidden, readUsers } from './user-row';
import type { Viewer } from './viewer';

/** Accounts of the past, with the values of their profile fields by account where they were requested. */
export interface UsersThen {
  readonly users: readonly UserRow[];
  readonly profiles: ReadonlyMap<UserId, ProfileData>;
}

const DECIMAL = /^\d{1,15}$/;

/**
 * Accounts as they were at a moment, of those that the viewer could see then and can see today (contract/audit.md section
 * 4.1). An email that is hidden from the viewer today is hidden in the past as well, and a deleted profile stays deleted.
 */
@Injectable()
export class PastUsers {
  constructor(
    private readonly past: Past,
    private readonly userAccess: UserAccess,
  ) {}

  /** @param userIds null for all but system bots. Unknown ids are left out */
  list(asOf: AsOf, userIds: readonly number[] | null, withProfiles: boolean): Promise<UsersThen> {
    return this.past.read(asOf, async (snapshot) => {
      const users = userIds === null ? await this.everybody(snapshot, asOf) : await this.some(snapshot, asOf, userIds);
      return shown(snapshot, asOf, users, withProfiles);
    });
  }

  /**
   * One account, by its name in a path: an id, or an email or placeholder email that it had then.
   *
   * @throws Rejected BAD_REQUEST when there is none, and in the same way for an account that the viewer may not see
   */
  one(asOf: AsOf, named: string, viewer: Pick<Viewer, 'mailDomain'>, withProfile: boolean): Promise<UsersThen> {
    return this.past.read(asOf, async (snapshot) => {
      const id = DECIMAL.test(named) ? Number(named) : placeholderId(named, viewer.mailDomain);
      const ids = id === undefined ? await readPossibleOwners(snapshot, asOf, named) : [id];
      const found = await shown(snapshot, asOf, await this.some(snapshot, asOf, ids), withProfile);
      const isNamed = (user: UserRow) => user.userId === id || (id === undefined && hasVisibleEmail(asOf, user, named));
      const users = found.users.filter(isNamed);
      if (users.length === 0) throw reject.noSuchUser();
      return { ...found, users };
    });
  }

  private async everybody({ then, now }: PastSnapshot, { realmId, viewer, today }: AsOf): Promise<readonly UserRow[]> {
    if (!viewer) return [];
    const everybody = await readAllUsers(then, realmId);
    const known = await this.userAccess.accessibleIn(then, viewer);
    const knownToday = today && (await this.userAccess.accessibleIn(now, today));
    const isKnown = (id: UserId) => (known?.has(id) ?? true) && (knownToday?.has(id) ?? true);
    return everybody.filter(({ isSystemBot, userId }) => !isSystemBot && isKnown(userId));
  }

  private async some({ thenOnly, now }: PastSnapshot, { realmId, viewer, today }: AsOf, asked: readonly number[]) {
    if (!viewer) return [];
    const wanted = ascending(new Set(asked));
    const then = thenOnly({ users: { column: 'user_id', values: wanted } });
    const hidden = await this.userAccess.inaccessibleIn(then, viewer, wanted);
    const hiddenToday = today && (await this.userAccess.inaccessibleIn(now, today, wanted));
    const users = await readUsers(then, realmId, wanted);
    return users.filter(({ userId }) => !hidden.has(userId) && !hiddenToday?.has(userId));
  }
}

/** Accounts that have the email now, and those whose email changed since, which may have had it. */
async function readPossibleOwners(
  { now }: PastSnapshot,
  { realmId, position }: AsOf,
  email: string,
): Promise<readonly UserId[]> {
  const { rows } = await now.query<{ id: UserId }>({
    name: 'users-possible-owners',
    text: `SELECT user_id AS id FROM view.users WHERE realm_id = $1 AND (email_key = $2 OR address_position > $3)`,
    values: [realmId, emailKey(email), position],
  });
  return rows.map(({ id }) => id);
}

const hasVisibleEmail = ({ viewer }: AsOf, user: UserRow, email: string): boolean =>
  viewer !== null && emailKey(user.deliveryEmail) === emailKey(email) && seesEmail(viewer, user);

/** What today hides is hidden: emails by their present visibility, and the pictures of deleted profiles. */
async function shown(
  { then, now, thenOnly }: PastSnapshot,
  { realmId, today }: AsOf,
  users: readonly UserRow[],
  withProfiles: boolean,
): Promise<UsersThen> {
  const ids = users.map(({ userId }) => userId);
  const hiding = today ? await readHidden(now, realmId, NOT_CHANGED) : [];
  const hidden = new Set(hiding.filter((user) => today && !seesEmail(today, user)).map(({ userId }) => userId));
  const asToday = (user: UserRow): UserRow => ({
    ...user,
    ...(hidden.has(user.userId) && { addressVisibility: EmailVisibility.nobody }),
    ...(user.isDeleted && { avatarFile: withoutOwn(user.avatarFile) }),
  });
  const values = users.length > MANY ? then : thenOnly({ profile_values: { column: 'user_id', values: ids } });
  return {
    users: users.map(asToday),
    profiles: withProfiles ? await readProfiles(values, realmId, ids) : new Map<UserId, ProfileData>(),
  };
}

/** A generated picture shows nothing of the person. */
const withoutOwn = (file: string | null): string | null => (file !== null && isGenerated(file) ? file : null);

/** Emails whose visibility alone matters, not when it changed. */
const NOT_CHANGED = Number.MAX_SAFE_INTEGER as Position;
/** With so many accounts, it is cheaper to read the values of all. */
const MANY = 1_000;
