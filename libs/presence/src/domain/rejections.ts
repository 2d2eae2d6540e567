import { rejection } from '@annals/kernel/domain';

export const reject = {
  insufficientPermission: rejection('BAD_REQUEST', 'Insufficient permission'),
  isDeactivated: rejection('BAD_REQUEST', 'User is deactivated'),
  noNewValues: rejection('BAD_REQUEST', 'Client did not pass any new values.'),
  emojiNameNeeded: rejection(
    'BAD_REQUEST',
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ),
  invalidStatus: rejection<{ status: string }>('BAD_REQUEST', ({ status }) => `Invalid status: ${status}`),
  noSuchUser: rejection('BAD_REQUEST', 'No such user'),
  botsHaveNone: rejection('BAD_REQUEST', 'Presence is not supported for bot users.'),
  noData: rejection<{ user: string }>('BAD_REQUEST', ({ user }) => `No presence data for ${user}`),
};
