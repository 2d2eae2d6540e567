import type { TokenBearer, Work } from '@annals/kernel';
import { Kernel, RealmQuotas } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Role, isGuest } from '@annals/kernel/domain';
import { NewPeople } from '@annals/onboarding';
import { runAsVisitor } from '@annals/realm';
import { Deactivations, DIRECTORY_RIGHTS, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../domain/scim/json';
import { attributesIn } from '../../domain/scim/patch/operations';
import { patched } from '../../domain/scim/patch/patched';
import { ensureVersion } from '../../domain/scim/precondition';
import { describeUser, isSameAgain, provisionedUserAggregate, removeUser } from '../../domain/scim/provisioned';
import { reject } from '../../domain/scim/rejections';
import type { UserState } from '../../domain/scim/resource/user-state';
import {
  NEW_USER,
  NOT_DESCRIBED,
  attributesOf,
  keptByReplacement,
  stateWith,
} from '../../domain/scim/resource/user-state';
import { USER } from '../../domain/scim/resource/user-type';
import { readScimUser } from '../../read/scim/scim-user-rows';
import { toInt } from '../../read/scim/keys';
import { NewPasswords } from './new-passwords';
import { followDirectory } from './person-settings';
import type { ScimChange, ScimTarget } from './scim-requests';
import { tokenOf } from './scim-requests';
import { UserChanges, ensureEmail } from './user-changes';

const LEFT =
  'Somebody who left has this userName. An administrator can reactivate their account, or give it another address. A directory can ' +
  'create the same person again with the externalId that they had.';

/** A person before and after a request, and what it said. */
interface PersonChange {
  readonly before: UserState;
  readonly after: UserState;
  readonly attributes: JsonObject;
}

/**
 * Creates, changes and deletes people for a directory. A deleted person is deactivated, and comes back when created again with the
 * same id in the directory.
 */
@Injectable()
export class ScimUsers {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
    private readonly people: NewPeople,
    private readonly deactivations: Deactivations,
    private readonly changes: UserChanges,
    private readonly passwords: NewPasswords,
    private readonly quotas: RealmQuotas,
  ) {}

  /** @returns the id of the person @throws Rejected UNIQUENESS when somebody has the address */
  async create(bearer: TokenBearer, body: JsonObject): Promise<UserId> {
    const attributes = patched(NEW_USER, attributesIn(body, 'replace'), USER);
    const wanted = stateWith(attributes, null);
    ensureEmail(wanted.email);
    const newId = await this.kernel.ids.next(bearer.realmId, 'user');
    const password = this.passwords.of(attributes, wanted);
    return runAsVisitor(this.kernel.work, bearer, async (work) => {
      const known = await this.facts.idByEmail(work.realmId, wanted.email);
      if (known !== undefined) return this.bringBack(work, bearer, known, attributes);
      const { email, fullName, role } = wanted;
      const withDefaultChannels = !isGuest({ role });
      const person = { userId: newId, email, fullName, role, withDefaultChannels, channels: [], groups: [] };
      const secret = await password(newId);
      await this.changes.claiming(work, newId, email, () => this.people.add(work, { ...person, password: secret }));
      await this.describe(work, bearer, newId, wanted);
      if (!wanted.isActive) await this.deactivations.deactivateNew(work, newId, DIRECTORY_RIGHTS);
      return newId;
    });
  }

  /** @returns the id of the person @throws Rejected NOT_FOUND, PRECONDITION_FAILED, and the refusals of the change */
  async change(bearer: TokenBearer, target: ScimTarget, change: ScimChange): Promise<UserId> {
    return runAsVisitor(this.kernel.work, bearer, async (work) => {
      const { userId, state } = await this.found(work, target);
      const attributes = attributesAfter(state, change);
      await this.apply(work, bearer, userId, { before: state, after: stateWith(attributes, state), attributes });
      return userId;
    });
  }

  /** Deactivates a person, whom the directory sees no more. @throws Rejected NOT_FOUND, PRECONDITION_FAILED */
  async remove(bearer: TokenBearer, target: ScimTarget): Promise<void> {
    await runAsVisitor(this.kernel.work, bearer, async (work) => {
      const { userId, state } = await this.found(work, target);
      if (state.isActive) await this.changes.deactivate(work, userId);
      await work.decide(provisionedUserAggregate, userId, () => removeUser(userId, tokenOf(bearer)));
    });
  }

  private async found(work: Work, { id, versions }: ScimTarget): Promise<{ userId: UserId; state: UserState }> {
    const userId = Number(toInt(id)) as UserId;
    const state = userId > 0 ? await this.changes.stateOf(work, userId) : undefined;
    if (!state) throw reject.noSuchResource({ id });
    const row = versions && (await readScimUser(this.kernel.database.pool, work.realmId, userId));
    if (row) ensureVersion(versions, row.version);
    return { userId, state };
  }

  /** @throws Rejected UNIQUENESS unless a directory had deleted the person with the address, and names the same one by its id */
  private async bringBack(work: Work, bearer: TokenBearer, userId: UserId, attributes: JsonObject): Promise<UserId> {
    const removed = await this.changes.removedStateOf(work, userId);
    if (!removed) throw reject.taken({ why: 'Somebody has this userName.' });
    // A request to create means a member unless it names another role, whatever the person was.
    const after = stateWith(attributes, { ...removed, role: Role.member });
    if (!isSameAgain(removed.description, after.description)) throw reject.taken({ why: LEFT });
    await this.apply(work, bearer, userId, { before: { ...removed, isActive: false }, after, attributes });
    return userId;
  }

  private async apply(work: Work, bearer: TokenBearer, userId: UserId, { before, after, attributes }: PersonChange) {
    // Whatever the log has, a directory can end an account.
    if (!before.isActive || after.isActive) await this.quotas.ensureRoomInLog(work.realmId);
    const password = await this.passwords.of(attributes, after)(userId);
    await this.changes.apply(work, userId, before, after, password);
    const isRenamed = before.fullName !== after.fullName;
    await followDirectory(work, userId, before.description, after.description);
    await work.decide(provisionedUserAggregate, userId, (state) =>
      describeUser(state, userId, after.description, tokenOf(bearer), isRenamed),
    );
  }

  private async describe(work: Work, bearer: TokenBearer, userId: UserId, { description }: UserState): Promise<void> {
    await followDirectory(work, userId, NOT_DESCRIBED, description);
    work.begins(provisionedUserAggregate, userId);
    await work.decide(provisionedUserAggregate, userId, (state) =>
      describeUser(state, userId, description, tokenOf(bearer), false),
    );
  }
}

const attributesAfter = (state: UserState, change: ScimChange): JsonObject =>
  change.kind === 'replacement'
    ? patched(keptByReplacement(state), attributesIn(change.body, 'replace'), USER)
    : patched(attributesOf(state), change.operations, USER);
