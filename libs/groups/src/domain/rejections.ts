import { Rejected, rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);
const badPerson = (text: (userId: number) => string) =>
  rejection<{ userId: number }>('BAD_REQUEST', ({ userId }) => text(userId));

/** Why a group that is used cannot be deactivated (contract/groups.md section 3), in the form of the API. */
export type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

/** Every refusal of this context. */
export const reject = {
  notASubgroup: rejection('BAD_REQUEST', 'This system group cannot be a subgroup.'),
  malformedKey: rejection('INVALID_API_KEY', 'Malformed API key', { onPages: 'wrongLogin' }),
  invalidKey: rejection('INVALID_API_KEY', 'Invalid API key', { onPages: 'wrongLogin' }),
  sessionEnded: rejection('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required', {
    onPages: 'notLoggedIn',
  }),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated', { onPages: 'deactivated' }),

  noSuchGroup: bad('Invalid user group'),
  groupDeactivated: bad('User group is deactivated.'),
  systemGroup: bad('System user groups cannot be changed.'),
  noSuchMember: badPerson((userId) => `Invalid user ID: ${userId}`),

  nameBlank: bad('User group name cannot be empty.'),
  nameTooLong: bad('User group name cannot exceed 100 characters.'),
  nameReserved: rejection<{ prefix: string }>(
    'BAD_REQUEST',
    ({ prefix }) => `User group name cannot start with '${prefix}'.`,
  ),
  nameTaken: rejection<{ name: string }>('BAD_REQUEST', ({ name }) => `User group '${name}' already exists.`),

  mayNotCreate: bad('You do not have permission to create user groups.'),
  mayNotManage: bad('You do not have permission to manage this user group.'),
  mayNotAddMembers: bad('You do not have permission to add members to this user group.'),
  mayNotLetBotsAudit: bad('Only administrators can add bots to a group that may read the history.'),
  mayNotRemoveMembers: bad('You do not have permission to remove members from this user group.'),

  nothingToChange: bad('No new data supplied'),
  alreadyMember: badPerson((userId) => `User ${userId} is already a member of this group`),
  notMember: badPerson((userId) => `There is no member with user ID ${userId} in this user group`),
  alreadySubgroup: rejection<{ groupId: number }>(
    'BAD_REQUEST',
    ({ groupId }) => `User group ${groupId} is already a subgroup of this group.`,
  ),
  notSubgroup: rejection<{ groupId: number }>(
    'BAD_REQUEST',
    ({ groupId }) => `User group ${groupId} is not a subgroup of this group.`,
  ),
  circle: bad('A user group cannot be inside itself.'),
  valueMoved: rejection('EXPECTATION_MISMATCH', "'old' value does not match the expected value."),

  alreadyDeactivated: bad('User group is already deactivated.'),
  inUse: (objections: readonly Objection[]) =>
    new Rejected('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections }),
};
