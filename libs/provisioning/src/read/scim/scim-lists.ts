import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ListRequest } from '../../domain/scim/list-request';
import { conditionIn, sortFieldIn } from '../../domain/scim/list-request';
import type { ResourceType } from '../../domain/scim/resource/attribute';
import { GROUP } from '../../domain/scim/resource/group-type';
import { USER } from '../../domain/scim/resource/user-type';
import { isSelected } from '../../domain/scim/selection';
import { searchWithin } from './bounded-search';
import type { ResourceSql } from './condition-sql';
import { SqlValues, conditionSql, sortSql } from './condition-sql';
import type { ScimGroup } from './scim-group-rows';
import { GROUP_SQL, countScimGroups, readScimGroup, readScimGroupPage } from './scim-group-rows';
import type { ScimUser } from './scim-user-rows';
import { USER_SQL, countScimUsers, readScimUser, readScimUserPage } from './scim-user-rows';

/** A part of the resources that meet a filter. */
export interface ScimList<Resource> {
  /** How many meet it. */
  readonly total: number;
  readonly page: readonly Resource[];
}

/** Longest time that PostgreSQL may search for one request, in ms. */
const LONGEST_MS = 10_000;

/** Reads people and groups as a directory sees them. */
@Injectable()
export class ScimLists {
  constructor(private readonly kernel: Kernel) {}

  user(realmId: RealmId, userId: number): Promise<ScimUser | undefined> {
    return readScimUser(this.kernel.database.pool, realmId, userId);
  }

  group(realmId: RealmId, groupId: number, withMembers: boolean): Promise<ScimGroup | undefined> {
    return readScimGroup(this.kernel.database.pool, realmId, groupId, withMembers);
  }

  /** @throws Rejected INVALID_FILTER, INVALID_PATH, TOO_MANY */
  users(realmId: RealmId, request: ListRequest): Promise<ScimList<ScimUser>> {
    const { condition, values, order } = statementOf(request, USER, USER_SQL, 'u.user_id');
    return searchWithin(this.kernel.database, LONGEST_MS, async (client) => {
      const total = await countScimUsers(client, realmId, condition, values);
      const { offset, limit } = sliceOf(request, total);
      if (limit === 0) return { total, page: [] };
      return { total, page: await readScimUserPage(client, realmId, { condition, values, order, offset, limit }) };
    });
  }

  /** @throws Rejected INVALID_FILTER, INVALID_PATH, TOO_MANY */
  groups(realmId: RealmId, request: ListRequest): Promise<ScimList<ScimGroup>> {
    const { condition, values, order } = statementOf(request, GROUP, GROUP_SQL, 'g.group_id');
    const withMembers = isSelected(request.selection, GROUP, 'members');
    return searchWithin(this.kernel.database, LONGEST_MS, async (client) => {
      const total = await countScimGroups(client, realmId, condition, values);
      const { offset, limit } = sliceOf(request, total);
      if (limit === 0) return { total, page: [] };
      const page = { condition, values, order, offset, limit, withMembers };
      return { total, page: await readScimGroupPage(client, realmId, page) };
    });
  }
}

function statementOf(request: ListRequest, type: ResourceType, sql: ResourceSql, id: string) {
  // The first parameter is the organization.
  const collected = new SqlValues([null]);
  const condition = conditionSql(conditionIn(request, type), sql, collected);
  const field = sortFieldIn(request, type);
  const order = field ? `${sortSql(field, sql)} ${request.isDescending ? 'DESC' : 'ASC'} NULLS LAST, ${id}` : id;
  return { condition, values: collected.values.slice(1), order };
}

function sliceOf({ startIndex, count }: ListRequest, total: number) {
  const offset = startIndex - 1;
  return { offset, limit: Math.min(count, Math.max(0, total - offset)) };
}
