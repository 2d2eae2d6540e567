import { SubscriptionEffects, readDefaultChannels } from '@annals/channels';
import { joinGroups } from '@annals/groups';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, GroupId, Role, UserId } from '@annals/kernel/domain';
import type { PasswordSecret } from '@annals/users';
import { ensureUsable } from '@annals/realm';
import { NewAccounts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { NewcomerNotices } from './newcomer-notices';

/** A person who gets an account. */
export interface NewPerson {
  readonly userId: UserId;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  /** Null: no password. The person logs in by single sign-on, or resets it. */
  readonly password: PasswordSecret | null;
  /** Channels to subscribe to, beside the default ones if `withDefaultChannels` says so. */
  readonly channels: readonly ChannelId[];
  readonly withDefaultChannels: boolean;
  readonly groups: readonly GroupId[];
  /** The account is a stub until the first login (contract/users.md section 1). */
  readonly isImported?: boolean;
  /** The person opens the account, and is logged in at once. Otherwise others open it, and the person logs in later. */
  readonly isPresent?: boolean;
}

/** Opens accounts of people with their channels and groups in a unit of work. The caller checks permissions. */
@Injectable()
export class NewPeople {
  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: NewAccounts,
    private readonly subscriptions: SubscriptionEffects,
    private readonly notices: NewcomerNotices,
  ) {}

  /**
   * @throws Rejected for an invalid name, an email that is not allowed, a name or email that is in use, or a deactivated
   *   organization
   */
  async add(work: Work, person: NewPerson): Promise<void> {
    const { userId, email, fullName, role, password, isImported, isPresent = false } = person;
    await ensureUsable(work);
    await this.accounts.open(work, {
      userId,
      email,
      fullName,
      role,
      ...NOTHING_SPECIAL,
      awaitsFirstLogin: !isPresent,
      ...(isImported === true && { isImported }),
    });
    if (password) await this.accounts.setPassword(work, userId, password);
    await joinGroups(work, userId, person.groups);
    const channels = new Set(person.channels);
    if (person.withDefaultChannels) {
      for (const id of await readDefaultChannels(this.kernel.database.pool, work.realmId)) channels.add(id);
    }
    const toAll = [...channels].map((channelId) => ({ channelId, people: [userId], color: null, isNew: false }));
    await this.subscriptions.subscribe(work, toAll);
    if (isImported !== true) await this.notices.joined(work, { userId, fullName });
  }
}

const NOTHING_SPECIAL = {
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  canCreateUsers: false,
  canChangeUserEmails: false,
} as const;
