import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, groupId, nullable, t, userId } from '@annals/kernel/domain';
import { tokenId } from '../tokens/token-events';

const text = nullable(t.String());

const ofPerson = ({ userId: user }: { userId: number }) => [['user', user] as const, ['person', user] as const];
const aboutGroup = ({ groupId: group }: { groupId: number }) => [['group', group] as const];

/**
 * Stream `scim-user-{id}`: what a directory says of a person beside the account itself. It has all that the directory says now,
 * and null for the rest.
 */
export const UserDescribed = defineEvent('provisioning.UserDescribed', {
  data: t.Object({ userId, tokenId }),
  sealed: t.Object({ externalId: text, givenName: text, familyName: text, locale: text, timezone: text }),
  subjects: ofPerson,
});
export type UserDescribed = FactOf<typeof UserDescribed>;

/** Stream `scim-user-{id}`: a directory deleted the person. The account is deactivated, and the directory sees it no more. */
export const UserRemoved = defineEvent('provisioning.UserRemoved', {
  data: t.Object({ userId, tokenId }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type UserRemoved = FactOf<typeof UserRemoved>;

/** Stream `scim-group-{id}`: the id of a group in a directory. */
export const GroupIdentified = defineEvent('provisioning.GroupIdentified', {
  data: t.Object({ groupId, tokenId }),
  sealed: t.Object({ externalId: text }),
  subjects: aboutGroup,
});
export type GroupIdentified = FactOf<typeof GroupIdentified>;

/** Stream `scim-group-{id}`: a directory deleted the group. It is deactivated. */
export const GroupRemoved = defineEvent('provisioning.GroupRemoved', {
  data: t.Object({ groupId, tokenId }),
  subjects: aboutGroup,
});
export type GroupRemoved = FactOf<typeof GroupRemoved>;

export type ScimUserEvent = UserDescribed | UserRemoved;
export type ScimGroupEvent = GroupIdentified | GroupRemoved;
