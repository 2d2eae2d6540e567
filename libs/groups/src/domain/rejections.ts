import { rejection } from '@annals/kernel/domain';

export const reject = {
  malformedKey: rejection('INVALID_API_KEY', 'Malformed API key'),
  invalidKey: rejection('INVALID_API_KEY', 'Invalid API key'),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated'),
  noSuchGroup: rejection('BAD_REQUEST', 'Invalid user group'),
  groupDeactivated: rejection('BAD_REQUEST', 'User group is deactivated.'),
  noSuchMember: rejection<{ userId: number }>('BAD_REQUEST', ({ userId }) => `Invalid user ID: ${userId}`),
};
