import type { WebhookFault } from './webhook-fault';
import { isWorthRetrying, replyTo, reportOf, retryAfter, shownBody } from './webhook-fault';

const status = (code: number, body = ''): WebhookFault => ({ failure: 'status', status: code, body });
const INVALID: WebhookFault = { failure: 'answer', reason: 'Invalid JSON in response', body: '<html>' };

describe('a message that the program behind a bot did not answer', () => {
  it.each<[WebhookFault, boolean]>([
    [{ failure: 'slow' }, true],
    [{ failure: 'unreachable' }, true],
    [status(500), true],
    [status(503), true],
    [status(429), true],
    [status(404), false],
    [status(302), false],
    [{ failure: 'address' }, false],
    [{ failure: 'url' }, false],
    [{ failure: 'direct' }, false],
    [INVALID, false],
  ])('because of %j is sent again: %s', (fault, again) => expect(isWorthRetrying(fault)).toBe(again));

  it('is sent four times in all, with longer waits', () => {
    expect([1, 2, 3, 4, 5].map(retryAfter)).toEqual([1_000, 3_000, 9_000, null, null]);
  });

  it('has a reply, and a report for the owner of the bot unless the owner cannot help', () => {
    expect(replyTo({ failure: 'slow' })).toBe('Failure! Bot is unavailable');
    expect(replyTo(status(404))).toBe('Failure! Third party responded with 404');
    expect(replyTo(INVALID)).toBe('Failure! Invalid JSON in response');
    expect(reportOf(INVALID)).toContain('Invalid JSON in response');
    expect(reportOf(status(404))).toContain('*404*');
    expect(reportOf({ failure: 'slow' })).toContain('10 seconds');
    expect(reportOf({ failure: 'direct' })).toBeNull();
  });

  it('shows the beginning of the answer as text', () => {
    expect(shownBody({ failure: 'slow' })).toBe('');
    expect(shownBody(status(404, 'no\0'))).toBe('no\ufffd');
    const long = shownBody(status(500, `${'x'.repeat(499)}😀 and so on`));
    expect(long).toBe(`${'x'.repeat(499)}\ufffd…`);
  });
});
