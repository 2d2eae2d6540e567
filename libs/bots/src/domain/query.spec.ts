import type { MessageId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import { QueryFailed } from './events';
import { answered, queryAggregate, queryKey, unanswered } from './query';

const ASKED = { botId: 9 as UserId, messageId: 40 as MessageId };

describe('a message for a bot', () => {
  it('is done with its answer, which is the event before', () => {
    const [event] = answered(ASKED);
    expect(event).toMatchObject({ data: { ...ASKED, answerId: '-1' } });
    expect(given(queryAggregate, ...answered(ASKED))).toBe(true);
    expect(given(queryAggregate)).toBe(false);
  });

  it('is done without an answer too, once', () => {
    const failed = unanswered(false, ASKED, 'refused');
    expect(failed).toEqual([fact(QueryFailed, { ...ASKED, failure: 'refused' })]);
    expect(given(queryAggregate, ...failed)).toBe(true);
    expect(unanswered(true, ASKED, 'internal')).toEqual([]);
  });

  it('is another one for another bot', () => {
    expect(queryKey(ASKED)).toBe('40:9');
    expect(queryKey({ ...ASKED, botId: 8 as UserId })).toBe('40:8');
  });
});
