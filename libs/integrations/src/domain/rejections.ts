import { Rejected, rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);

/** Every refusal of this context. Codes and texts are those of Zulip. */
export const reject = {
  unknownIntegration: rejection('BAD_REQUEST', 'Unknown integration', { notFound: true }),
  /** @param problem the first part of the payload that is wrong. It contains nothing of the payload */
  anomalous: (caller: string, problem: string) =>
    new Rejected('ANOMALOUS_WEBHOOK_PAYLOAD', `Unable to parse request: Did ${caller} generate this event?`, {
      webhook_name: caller,
      problem,
    }),
  noEventHeader: (header: string) =>
    new Rejected('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${header}'`, { header }),
  noTopic: bad("Topic can't be empty"),
  noContent: bad("Content can't be empty"),
  noOwner: bad('This bot has no owner to write to. Name a channel with the parameter stream.'),
  tooManyMessages: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `A delivery makes ${limit} messages at most. Let the sender group fewer alerts.`,
  ),
};
