import type { GroupId, Position, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { TokenId } from '../tokens/token-events';
import type { UserDescription } from './resource/user-state';
import { NOT_DESCRIBED } from './resource/user-state';
import type { ScimGroupEvent, ScimUserEvent } from './scim-events';
import { GroupIdentified, GroupRemoved, UserDescribed, UserRemoved } from './scim-events';

/** What directories said of a person. */
export interface ProvisionedUser {
  readonly description: UserDescription;
  /** Position at which a directory deleted the person. 0 if none did, or one says something of them since. */
  readonly removedAt: Position;
}

const NEVER = 0 as Position;

/**
 * Whether a directory that creates what one deleted means the same person or group. A name or an address does not say so: the
 * next person may get it. Only an id in the directory does.
 */
export const isSameAgain = (removed: WithExternalId, wanted: WithExternalId): boolean =>
  removed.externalId !== null && removed.externalId === wanted.externalId;

type WithExternalId = Pick<UserDescription, 'externalId'>;

export const provisionedUserAggregate = defineAggregate<ProvisionedUser, ScimUserEvent, UserId>(
  'scim-user',
  { description: NOT_DESCRIBED, removedAt: NEVER },
  (state, event) => {
    if (event.type === 'provisioning.UserRemoved') return { ...state, removedAt: event.position };
    return { description: event.sealed === 'erased' ? NOT_DESCRIBED : event.sealed, removedAt: NEVER };
  },
);

/** What directories said of a group. */
export interface ProvisionedGroup {
  readonly externalId: string | null;
  /** Whether it was a directory that deactivated it last. */
  readonly isRemoved: boolean;
}

export const provisionedGroupAggregate = defineAggregate<ProvisionedGroup, ScimGroupEvent, GroupId>(
  'scim-group',
  { externalId: null, isRemoved: false },
  (state, event) => {
    if (event.type === 'provisioning.GroupRemoved') return { ...state, isRemoved: true };
    return { externalId: event.sealed === 'erased' ? null : event.sealed.externalId, isRemoved: false };
  },
);

/**
 * Records what a directory says of a person. Also the same as before, if the person comes back.
 *
 * @param isRenamed the account gets another full name. Given and family name that were said before then count no more
 */
export function describeUser(
  { description: present, removedAt }: ProvisionedUser,
  userId: UserId,
  description: UserDescription,
  tokenId: TokenId,
  isRenamed: boolean,
): UserDescribed[] {
  const isSame = (Object.keys(present) as (keyof UserDescription)[]).every(
    (name) => present[name] === description[name],
  );
  const hasParts = description.givenName !== null || description.familyName !== null;
  if (isSame && removedAt === NEVER && !(isRenamed && hasParts)) return [];
  return [fact(UserDescribed, { userId, tokenId }, { ...description })];
}

export const removeUser = (userId: UserId, tokenId: TokenId): UserRemoved[] => [fact(UserRemoved, { userId, tokenId })];

/** Records the id of a group in a directory. Also the same one, if the group comes back. */
export function describeGroup(
  { externalId: present, isRemoved }: ProvisionedGroup,
  groupId: GroupId,
  externalId: string | null,
  tokenId: TokenId,
): GroupIdentified[] {
  return present === externalId && !isRemoved ? [] : [fact(GroupIdentified, { groupId, tokenId }, { externalId })];
}

export const removeGroup = (groupId: GroupId, tokenId: TokenId): GroupRemoved[] => [
  fact(GroupRemoved, { groupId, tokenId }),
];
