import { Kernel, Past, feedReader } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { EmailVisibility, UserAccess, readUsers, realEmail } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { maskInaccessibleUsers, sendersOf } from '../content/inaccessible-users';
import type { LoadedMessages } from '../content/message-row';
import type { SeenInPast } from './past-loader';
import { PastReading } from './past-reading';

/** Answers questions about the messages of the past, each in one snapshot of the database. */
@Injectable()
export class PastQuestions {
  constructor(
    private readonly kernel: Kernel,
    private readonly past: Past,
    private readonly userAccess: UserAccess,
  ) {}

  /**
   * @param read must use the snapshot alone: a question that waited for a second connection could wait for ever
   * @returns null if the account was not active then, so that it could read nothing
   */
  async answer<Answer>(asOf: AsOf, read: (reading: PastReading) => Promise<Answer>): Promise<Answer | null> {
    const { realmId, viewer } = asOf;
    if (viewer === null) return null;
    return this.kernel.database.snapshot((client) =>
      read(new PastReading(feedReader(this.kernel.events, realmId, client), asOf, viewer)),
    );
  }

  /** The messages with their people as these were, without those whom the account could not see then or may not see today. */
  async withPeople(asOf: AsOf, { loaded, hidden }: SeenInPast): Promise<LoadedMessages> {
    const ids = new Set([...loaded.rows.values()].flatMap(({ senderId, userIds }) => [senderId, ...userIds]));
    const users = new Map((await this.peopleThen(asOf, [...ids])).map((user) => [user.userId, user]));
    const known = maskInaccessibleUsers({ ...loaded, users }, hidden);
    if (asOf.today === null) return known;
    return maskInaccessibleUsers(known, await this.userAccess.inaccessibleAmong(asOf.today, sendersOf(loaded)));
  }

  /** Accounts as they were. Emails that the account may not see today are hidden. */
  private async peopleThen(asOf: AsOf, ids: readonly UserId[]): Promise<UserRow[]> {
    const only = { users: { column: 'user_id', values: ids } };
    const [then, now] = await this.past.read(asOf, async (snapshot) => [
      await readUsers(snapshot.thenOnly(only), asOf.realmId, ids),
      await readUsers(snapshot.now, asOf.realmId, ids),
    ]);
    const isHidden = (user: UserRow) => asOf.today && realEmail(user, { ...asOf.today, mailDomain: '' }) === null;
    const hidden = new Set(now.filter(isHidden).map(({ userId }) => userId));
    return then.map((user) =>
      hidden.has(user.userId) ? { ...user, addressVisibility: EmailVisibility.nobody } : user,
    );
  }
}
