import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import {
  directoryAccountAggregate,
  identityOf,
  isLasting,
  suspend,
  takePicture,
} from '../../domain/ldap/directory-account';
import type { SuspensionReason } from '../../domain/ldap/directory-account-events';
import { identitiesAggregate, linkIdentity, unlinkIdentity } from '../../domain/single-sign-on/identities';
import { readAccountOf, readSubjectOf } from '../../read/single-sign-on/identities';
import { identityFree, identityKey } from '../single-sign-on/guards';

/** An entry of a directory. */
export interface EntryKey {
  readonly directory: string;
  readonly subject: string;
}

/** Which account belongs to which entry of a directory, within a unit of work. */
@Injectable()
export class DirectoryLinks {
  constructor(private readonly kernel: Kernel) {}

  /** The account of an entry. Null if there is none. */
  accountOf(realmId: RealmId, { directory, subject }: EntryKey): Promise<UserId | null> {
    return readAccountOf(this.kernel.database.pool, realmId, identityOf(directory, subject));
  }

  /** The entry of a directory that an account belongs to. Null if there is none. */
  subjectOf(realmId: RealmId, userId: UserId, directory: string): Promise<string | null> {
    return readSubjectOf(this.kernel.database.pool, realmId, userId, identityOf(directory, '').issuer);
  }

  /** Whether an account may be given to an entry because both have the same email: it belongs to no other one for good. */
  async mayLink(work: Work, userId: UserId, { directory, subject }: EntryKey): Promise<boolean> {
    const { issuer } = identityOf(directory, subject);
    const former = (await work.read(identitiesAggregate, userId)).get(issuer);
    return typeof former !== 'string' || !isLasting(former);
  }

  /** Gives an account to an entry, which has none. The caller knows that they belong together. */
  async link(work: Work, userId: UserId, { directory, subject }: EntryKey): Promise<void> {
    const identity = identityOf(directory, subject);
    const former = (await work.read(identitiesAggregate, userId)).get(identity.issuer);
    if (former === subject) return;
    if (former !== undefined)
      await work.decide(identitiesAggregate, userId, (state) => unlinkIdentity(state, userId, identity.issuer));
    await work.decide(identitiesAggregate, userId, (state) => linkIdentity(state, userId, identity));
    work.guard(identityFree, identityKey(identity));
    work.changesGuard(identityFree, identityKey(identity));
  }

  /** Remembers the picture that the account got from the directory. */
  async pictureTaken(work: Work, userId: UserId, taken: { readonly directory: string; readonly digest: string }) {
    await work.decide(directoryAccountAggregate, userId, (state) => takePicture(state, userId, taken));
  }

  /** Records beside a deactivation why the directory wants it. */
  async suspended(
    work: Work,
    userId: UserId,
    { directory, reason }: { readonly directory: string; readonly reason: SuspensionReason },
  ): Promise<void> {
    await work.decide(directoryAccountAggregate, userId, () => suspend(userId, directory, reason));
  }
}
