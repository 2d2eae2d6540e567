import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import { QueryAnswered, QueryFailed } from '../domain/events';

const { message, user } = thing;

const answered = describeEvent(QueryAnswered, {
  meaning: 'A bot that the server runs answered a message.',
  commands: ['Answers'],
  sentence: ({ data: { messageId, answerId } }) => ['answered ', message(messageId), ' with ', message(answerId)],
});

const failed = describeEvent(QueryFailed, {
  meaning: 'A bot that the server runs does not answer a message, because it may not send there or the server failed.',
  commands: ['Answers'],
  sentence: ({ actorId, data: { botId, messageId, failure } }) =>
    actorId === botId
      ? ['could not answer ', message(messageId), failure === 'refused' ? ': it may not send there' : '']
      : ['gave up the answer of ', user(botId), ' to ', message(messageId)],
  changes: ({ data: { failure } }) => [{ property: 'failure', before: null, after: failure }],
});

export const queryDescriptions: readonly EventDescription[] = [answered, failed];
