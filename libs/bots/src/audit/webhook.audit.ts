import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import type { WebhookFailed as Failed } from '../domain/events';
import { WebhookAccepted, WebhookFailed } from '../domain/events';

const { message, user } = thing;

const accepted = describeEvent(WebhookAccepted, {
  meaning: 'The program behind an outgoing-webhook bot got a message, and answered nothing.',
  commands: ['WebhookDeliveries'],
  sentence: ({ data: { messageId } }) => ['passed ', message(messageId), ' on to its program, which answered nothing'],
});

const REASONS: Readonly<Record<Failed['data']['failure'], string>> = {
  address: 'its address is not allowed',
  answer: 'its answer was not understood',
  direct: 'it takes no direct messages',
  internal: 'the server failed',
  refused: 'the bot may not send what it answered',
  slow: 'it did not answer in time',
  status: 'it answered with an error',
  unreachable: 'it could not be reached',
  url: 'the bot has no URL',
};

const failed = describeEvent(WebhookFailed, {
  meaning:
    'The program behind an outgoing-webhook bot did not answer a message, and the message is not sent to it again.',
  commands: ['WebhookDeliveries'],
  sentence: ({ actorId, data: { botId, messageId, failure } }) => [
    ...(actorId === botId ? ['got no answer'] : ['gave up the answer of ', user(botId)]),
    ' to ',
    message(messageId),
    ` from its program: ${REASONS[failure]}`,
  ],
  changes: ({ data: { failure, status } }) => [
    { property: 'failure', before: null, after: failure },
    ...(status === undefined ? [] : [{ property: 'status', before: null, after: status }]),
  ],
});

export const webhookDescriptions: readonly EventDescription[] = [accepted, failed];
