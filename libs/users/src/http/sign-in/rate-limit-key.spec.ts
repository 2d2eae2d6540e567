import type { UserId } from '@annals/kernel/domain';
import { rateLimitKey } from './rate-limit-key';

describe('rateLimitKey', () => {
  it('shares no counter between an account and a typed name', () => {
    expect(rateLimitKey('account 7')).not.toBe(rateLimitKey(7 as UserId));
    expect(rateLimitKey('x')).not.toBe(rateLimitKey('y'));
  });
});
