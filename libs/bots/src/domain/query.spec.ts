import type { MessageId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import { QueryFailed, WebhookAccepted, WebhookFailed } from './events';
import { accepted, answered, queryAggregate, queryKey, unanswered, undelivered } from './query';

const ASKED = { botId: 9 as UserId, messageId: 40 as MessageId };

describe('a message for a bot', () => {
  it('is done with its answer, which is the event before unless it is another message', () => {
    const [event] = answered(ASKED);
    expect(event).toMatchObject({ data: { ...ASKED, answerId: '-1' } });
    const outcome = given(queryAggregate, ...answered(ASKED, 30 as MessageId));
    expect(outcome).toEqual({ answerId: 30 });
    expect(given(queryAggregate)).toBeNull();
  });

  it('is done without an answer too, once', () => {
    const failed = unanswered(null, ASKED, 'refused');
    expect(failed).toEqual([fact(QueryFailed, { ...ASKED, failure: 'refused' })]);
    const outcome = given(queryAggregate, ...failed);
    expect(outcome).toEqual({ answerId: null });
    expect(unanswered(outcome, ASKED, 'internal')).toEqual([]);
  });

  it('is done when a program has it, or will not get it', () => {
    const taken = accepted(null, ASKED);
    expect(taken).toEqual([fact(WebhookAccepted, ASKED)]);
    expect(given(queryAggregate, ...taken)).toEqual({ answerId: null });
    const fault = { failure: 'status', status: 404, body: 'secret' } as const;
    expect(undelivered(null, ASKED, fault)).toEqual([
      fact(WebhookFailed, { ...ASKED, failure: 'status', status: 404 }),
    ]);
    expect(undelivered(null, ASKED, { failure: 'slow' })).toEqual([fact(WebhookFailed, { ...ASKED, failure: 'slow' })]);
    const outcome = { answerId: null };
    expect([...accepted(outcome, ASKED), ...undelivered(outcome, ASKED, fault)]).toEqual([]);
  });

  it('is another one for another bot', () => {
    expect(queryKey(ASKED)).toBe('40:9');
    expect(queryKey({ ...ASKED, botId: 8 as UserId })).toBe('40:8');
  });
});
