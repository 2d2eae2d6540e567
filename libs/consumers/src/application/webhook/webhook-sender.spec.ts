import type { OutgoingFault, OutgoingLimits, OutgoingRequests } from '@annals/kernel';
import { OutgoingRefused } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { WebhookSender, contentTypeOf } from './webhook-sender';

const MESSAGE = { id: 'msg_1', contentType: contentTypeOf(false), body: '{}' };
const TARGET = { url: 'https://example.com/', secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] };

/** A sender whose requests fail, and the limits that they had. */
function failing(fault: OutgoingFault) {
  const limits: OutgoingLimits[] = [];
  const fails = async (_: string, __: unknown, limit: OutgoingLimits) => {
    limits.push(limit);
    throw new OutgoingRefused(fault);
  };
  const outgoing = { send: fails, check: (url: string) => fails(url, null, { maxBytes: 0, ms: 0, redirects: 0 }) };
  return { limits, sender: new WebhookSender(outgoing as unknown as OutgoingRequests) };
}

describe('a request to a webhook', () => {
  it('waits 15 seconds for the answer, reads 500 bytes of it, and follows no redirect', async () => {
    const { sender, limits } = failing('slow');
    const attempt = await sender.send(TARGET, MESSAGE, 0 as Instant);
    expect(attempt).toMatchObject({ status: null, answer: 'There was no answer in time.' });
    expect(limits).toEqual([{ maxBytes: 500, ms: 15_000, redirects: 0, isSecure: true }]);
  });

  it.each(['address', 'insecure', 'unreachable'] as const)('that is refused (%s) is a failure', async (fault) => {
    const { sender } = failing(fault);
    expect(await sender.send(TARGET, MESSAGE, 0 as Instant)).toMatchObject({ status: null });
  });
});

describe('the URL of a webhook', () => {
  it.each([
    ['address', 'BAD_WEBHOOK_URL'],
    ['insecure', 'BAD_WEBHOOK_URL'],
  ] as const)('is refused (%s)', async (fault, code) => {
    await expect(failing(fault).sender.ensureAllowed(TARGET.url)).rejects.toMatchObject({ code });
  });

  it.each(['unreachable', 'slow'] as const)('may have a name that is not known now (%s)', async (fault) => {
    await expect(failing(fault).sender.ensureAllowed(TARGET.url)).resolves.toBeUndefined();
  });
});
