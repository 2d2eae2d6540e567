import { rejection } from '@annals/kernel/domain';

export const reject = {
  emptyWelcome: rejection('BAD_REQUEST', 'Message must not be empty'),
};
