import { rejection } from '@annals/kernel/domain';

export const reject = {
  oneMoment: rejection('BAD_REQUEST', "Exactly one of 'at' and 'position' is needed"),
  invalidKey: rejection('INVALID_API_KEY', 'Invalid API key'),
  noSuchThing: rejection<{ kind: string; id: number }>('BAD_REQUEST', ({ kind, id }) => `No such ${kind}: ${id}`),
  badSubject: rejection<{ subject: string }>('BAD_SUBJECT', ({ subject }) => `'${subject}' is not a subject`),
  noSuchEvent: rejection<{ position: number }>('BAD_REQUEST', ({ position }) => `No such event: ${position}`),
  mayNotUndo: rejection('UNAUTHORIZED_AUDIT', 'You may only undo what you did yourself.'),
  noSuchType: rejection<{ type: string }>('BAD_REQUEST', ({ type }) => `No event has the type '${type}'`),
  badCursor: rejection('BAD_REQUEST', 'Invalid cursor'),
  badRequestId: rejection('BAD_REQUEST', 'request_id is not a UUID'),
};
