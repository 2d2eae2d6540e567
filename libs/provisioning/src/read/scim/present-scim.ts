import type { Instant, Position, UserId } from '@annals/kernel/domain';
import type { JsonObject } from '../../domain/scim/json';
import { tagOf } from '../../domain/scim/precondition';
import type { ResourceType } from '../../domain/scim/resource/attribute';
import { GROUP } from '../../domain/scim/resource/group-type';
import { attributesOf } from '../../domain/scim/resource/user-state';
import { USER } from '../../domain/scim/resource/user-type';
import type { ScimGroup } from './scim-group-rows';
import type { ScimUser } from './scim-user-rows';

interface Dated {
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly version: Position;
}

/** A person in JSON. @param base address of the interface */
export const presentScimUser = (user: ScimUser, base: string): JsonObject => ({
  schemas: [USER.schema],
  id: String(user.userId),
  ...attributesOf(user),
  emails: [{ value: user.email, type: 'work', primary: true }],
  meta: metaOf(USER, user, `${base}${USER.endpoint}/${user.userId}`),
});

/** A group in JSON. An empty list of members is left out. @param base address of the interface */
export const presentScimGroup = (group: ScimGroup, base: string): JsonObject => ({
  schemas: [GROUP.schema],
  id: String(group.groupId),
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.name,
  ...(group.members && group.members.length > 0 && { members: group.members.map((id) => memberOf(id, base)) }),
  meta: metaOf(GROUP, group, `${base}${GROUP.endpoint}/${group.groupId}`),
});

const memberOf = (id: UserId, base: string): JsonObject => ({
  value: String(id),
  $ref: `${base}${USER.endpoint}/${id}`,
  type: 'User',
});

const metaOf = ({ name }: ResourceType, { createdAt, modifiedAt, version }: Dated, location: string): JsonObject => ({
  resourceType: name,
  created: new Date(createdAt).toISOString(),
  lastModified: new Date(modifiedAt).toISOString(),
  version: tagOf(version),
  location,
});
