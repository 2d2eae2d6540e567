import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { Role, isAdministrator, isBot, permits } from '@annals/kernel/domain';
import { AUDIT_SETTINGS, organization } from '@annals/realm';
import type { RealmSettings } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { graphAggregate, nestingOf } from '../domain/graph';
import { groupAggregate } from '../domain/group';
import { reject } from '../domain/rejections';
import { readMembersOfAny } from '../read/direct-members';

/** Only administrators who are people put bots into groups that may read the history (contract/audit.md section 1). */
@Injectable()
export class AuditingBots {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
  ) {}

  /**
   * The append depends on who may read the history, on the nesting of groups, and on the members of the subgroups.
   *
   * @throws Rejected BAD_REQUEST when the actor would let a bot read the history, and may not
   */
  async ensureMayAdd(
    work: Work,
    group: GroupId,
    { add, addSubgroups }: { readonly add: readonly UserId[]; readonly addSubgroups: readonly GroupId[] },
  ): Promise<void> {
    if (isAdministrator(work.actor) && !isBot(work.actor)) return;
    if (add.length === 0 && addSubgroups.length === 0) return;
    const { settings } = await organization(work);
    const nesting = nestingOf(await work.read(graphAggregate, 'group-graph'));
    if (!mayAuditBy(nesting.above(group), settings)) return;
    const inner = addSubgroups.flatMap((id) => [...nesting.below(id)]);
    const people = [...add, ...(await this.membersOf(work, inner))];
    const accounts = await this.users.accounts(work.realmId, people);
    if ([...accounts.values()].some(isBot)) throw reject.mayNotLetBotsAudit();
  }

  private async membersOf(work: Work, groups: readonly GroupId[]): Promise<readonly UserId[]> {
    if (groups.length === 0) return [];
    await work.readAll(groupAggregate, groups);
    return readMembersOfAny({ client: this.kernel.database.pool, realmId: work.realmId }, groups, work.at);
  }
}

/** Whether members of these groups may read the history, or hold and erase parts of it. */
const mayAuditBy = (groups: ReadonlySet<GroupId>, settings: RealmSettings): boolean =>
  AUDIT_SETTINGS.some((name) =>
    permits(settings[name], { userId: 0 as UserId, role: Role.member, groups }, { guests: false }),
  );
