import { Rejected, rejection } from '@annals/kernel/domain';

/** Every refusal of this context (contract/realtime.md sections 2 and 3). */
export const reject = {
  /** Unknown, expired, ended, of another account, or from before a restore: the client registers again. */
  badQueueId: (queueId: string) =>
    new Rejected('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId }),
  operatorNotSupported: rejection<{ operator: string }>(
    'BAD_REQUEST',
    ({ operator }) => `Operator ${operator} not supported.`,
  ),
  operandNotSupported: rejection<{ operand: string }>(
    'BAD_REQUEST',
    ({ operand }) => `Operand ${operand} not supported.`,
  ),
  notForGuests: rejection('BAD_REQUEST', 'User not authorized for this query'),
};
