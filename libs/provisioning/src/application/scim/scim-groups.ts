import type { TokenBearer, Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';
import type { Group } from '@annals/groups';
import { DirectoryGroups, groupAggregate } from '@annals/groups';
import { runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../domain/scim/json';
import { attributesIn } from '../../domain/scim/patch/operations';
import { ensureVersion } from '../../domain/scim/precondition';
import { describeGroup, isSameAgain, provisionedGroupAggregate, removeGroup } from '../../domain/scim/provisioned';
import { reject } from '../../domain/scim/rejections';
import type { ChangedGroup, GroupState } from '../../domain/scim/resource/group-state';
import { NEW_GROUP, changedGroup, replacedGroup } from '../../domain/scim/resource/group-state';
import { readGroupNamed, readKnown, readScimGroup } from '../../read/scim/scim-group-rows';
import { toInt } from '../../read/scim/keys';
import { issuerOf } from '../../read/tokens/token-issuer';
import { orTaken } from './or-taken';
import type { ScimChange, ScimTarget } from './scim-requests';
import { tokenOf } from './scim-requests';

const DESCRIPTION = 'Provisioned by SCIM.';
const TAKEN = 'A group has this displayName.';

const DELETED =
  'A deleted group has this displayName. An administrator can reactivate it, or give it another name. A directory can create the ' +
  'same group again with the externalId that it had.';

/**
 * Creates, changes and deletes user groups for a directory. A deleted group is deactivated, and comes back when created again with
 * the same id in the directory.
 */
@Injectable()
export class ScimGroups {
  constructor(
    private readonly kernel: Kernel,
    private readonly groups: DirectoryGroups,
  ) {}

  /** @returns the id of the group @throws Rejected UNIQUENESS when a group has the name */
  async create(bearer: TokenBearer, body: JsonObject): Promise<GroupId> {
    const wanted = changedGroup(NEW_GROUP, attributesIn(body, 'replace'));
    const newId = await this.kernel.ids.next(bearer.realmId, 'group');
    const creatorId = await issuerOf(this.kernel, bearer.realmId, bearer.tokenId);
    return runAsVisitor(this.kernel.work, bearer, async (work) => {
      const known = await this.named(work, wanted.name);
      if (known) return this.bringBack(work, bearer, known, wanted);
      const memberIds = [...wanted.members];
      await this.ensureSeen(work, wanted);
      const group = { groupId: newId, name: wanted.name, description: DESCRIPTION, creatorId, memberIds };
      await this.claiming(work, wanted.name, () => this.groups.create(work, group));
      await this.describe(work, bearer, newId, wanted);
      return newId;
    });
  }

  /** @returns the id of the group @throws Rejected NOT_FOUND, PRECONDITION_FAILED, and the refusals of the change */
  async change(bearer: TokenBearer, target: ScimTarget, change: ScimChange): Promise<GroupId> {
    return runAsVisitor(this.kernel.work, bearer, async (work) => {
      const { groupId, state } = await this.found(work, target);
      const after =
        change.kind === 'replacement'
          ? replacedGroup(state, attributesIn(change.body, 'replace'))
          : changedGroup(state, change.operations);
      await this.apply(work, groupId, state, after);
      await this.describe(work, bearer, groupId, after);
      return groupId;
    });
  }

  /** Deactivates a group. @throws Rejected NOT_FOUND, PRECONDITION_FAILED, and CANNOT_DEACTIVATE_GROUP_IN_USE */
  async remove(bearer: TokenBearer, target: ScimTarget): Promise<void> {
    await runAsVisitor(this.kernel.work, bearer, async (work) => {
      const { groupId } = await this.found(work, target);
      await this.groups.deactivate(work, groupId);
      await work.decide(provisionedGroupAggregate, groupId, () => removeGroup(groupId, tokenOf(bearer)));
    });
  }

  private async found(work: Work, { id, versions }: ScimTarget): Promise<{ groupId: GroupId; state: GroupState }> {
    const groupId = Number(toInt(id)) as GroupId;
    const group = groupId > 0 ? await work.read(groupAggregate, groupId) : null;
    if (!group || group.isSystemGroup || group.isDeactivated) throw reject.noSuchResource({ id });
    const row = versions && (await readScimGroup(this.kernel.database.pool, work.realmId, groupId, false));
    if (row) ensureVersion(versions, row.version);
    return { groupId, state: await this.stateOf(work, group) };
  }

  private async stateOf(work: Work, { groupId, name, members }: Group): Promise<GroupState> {
    const { externalId } = await work.read(provisionedGroupAggregate, groupId);
    return { name: name ?? '', externalId, members };
  }

  private named(work: Work, name: string) {
    return readGroupNamed(this.kernel.database.pool, work.realmId, name);
  }

  private claiming(work: Work, name: string, claim: () => Promise<void>): Promise<void> {
    return orTaken(claim, async () => (await this.named(work, name)) !== undefined, TAKEN);
  }

  private async bringBack(
    work: Work,
    bearer: TokenBearer,
    { groupId, isRemoved }: { readonly groupId: GroupId; readonly isRemoved: boolean },
    wanted: ChangedGroup,
  ): Promise<GroupId> {
    const group = await work.read(groupAggregate, groupId);
    if (!group?.isDeactivated || !isRemoved) throw reject.taken({ why: TAKEN });
    const before = await this.stateOf(work, group);
    if (!isSameAgain(before, wanted)) throw reject.taken({ why: DELETED });
    await this.groups.reactivate(work, groupId);
    await this.apply(work, groupId, before, wanted);
    await this.describe(work, bearer, groupId, wanted);
    return groupId;
  }

  /**
   * A directory removes only whom it knows: bots stay whatever it says. People whom it deleted are removed, so that they do not come
   * back with rights that the directory has ended.
   */
  private async apply(work: Work, groupId: GroupId, before: GroupState, after: ChangedGroup): Promise<void> {
    await this.ensureSeen(work, after);
    if (after.name !== before.name) {
      if (await this.named(work, after.name)) throw reject.taken({ why: TAKEN });
      await this.claiming(work, after.name, () => this.groups.rename(work, groupId, after.name));
    }
    const add = without(after.members, before.members);
    const lost = without(before.members, after.members);
    const known = await readKnown(this.kernel.database.pool, work.realmId, lost);
    await this.groups.changeMembers(work, groupId, { add, remove: lost.filter((id) => known.has(id)) });
  }

  /** @throws Rejected INVALID_VALUE when a request names somebody whom directories do not see, such as a bot */
  private async ensureSeen(work: Work, { members, wanted }: ChangedGroup): Promise<void> {
    const named = [...wanted].filter((id) => members.has(id));
    const known = await readKnown(this.kernel.database.pool, work.realmId, named);
    const unknown = named.find((id) => !known.get(id));
    if (unknown !== undefined) throw reject.value({ why: `There is no person ${unknown} who can be a member.` });
  }

  private async describe(work: Work, bearer: TokenBearer, groupId: GroupId, { externalId }: GroupState): Promise<void> {
    await work.decide(provisionedGroupAggregate, groupId, (state) =>
      describeGroup(state, groupId, externalId, tokenOf(bearer)),
    );
  }
}

const without = (some: ReadonlySet<UserId>, others: ReadonlySet<UserId>): UserId[] =>
  [...some].filter((id) => !others.has(id));
