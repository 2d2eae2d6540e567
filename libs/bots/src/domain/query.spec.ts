import type { MessageId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import { QueryFailed } from './events';
import { answered, queryAggregate, queryKey, unanswered } from './query';

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

  it('is another one for another bot', () => {
    expect(queryKey(ASKED)).toBe('40:9');
    expect(queryKey({ ...ASKED, botId: 8 as UserId })).toBe('40:8');
  });
});
