import { rejection } from '@annals/kernel/domain';

export const reject = {
  invalidStatus: rejection<{ status: string }>('BAD_REQUEST', ({ status }) => `Invalid status: ${status}`),
  noSuchUser: rejection('BAD_REQUEST', 'No such user'),
  botsHaveNone: rejection('BAD_REQUEST', 'Presence is not supported for bot users.'),
  noData: rejection<{ user: string }>('BAD_REQUEST', ({ user }) => `No presence data for ${user}`),
};
