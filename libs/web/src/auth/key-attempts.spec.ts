import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { Credentials, NamedAccount } from '@annals/kernel';
import { Authenticator } from '@annals/kernel';
import { Counters } from '../limits/counters';
import { KeyAttempts } from './key-attempts';

const RIGHT = 'r'.repeat(32);
const WRONG = 'w'.repeat(32);

class Keys extends Authenticator {
  asked = 0;
  override authenticate({ host, password }: Credentials): Promise<Actor> {
    this.asked += 1;
    if (host === 'nowhere') return Promise.reject(new Rejected('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'));
    if (password !== RIGHT) return Promise.reject(new Rejected('INVALID_API_KEY', 'Invalid API key'));
    return Promise.resolve({} as Actor);
  }

  override authenticateKey(): Promise<Actor> {
    return Promise.reject(new Rejected('INVALID_API_KEY', 'Invalid API key'));
  }

  override authenticateSession(): Promise<null> {
    return Promise.resolve(null);
  }

  override accountNamed({ host, username }: Credentials): Promise<NamedAccount> {
    const userId = /^ ?ann@|^user7@/i.test(username) ? (7 as UserId) : null;
    return Promise.resolve({ realmId: (host === 'there' ? 2 : 1) as RealmId, userId });
  }
}

let keys: Keys;
let attempts: KeyAttempts;
beforeEach(() => {
  keys = new Keys();
  attempts = new KeyAttempts(keys, new Counters(), true);
});

const present = (input: Partial<{ host: string; username: string; key: string; address: string | null }> = {}) => {
  const { host = 'here', username = 'ann@example.com', key = WRONG, address = '203.0.113.9' } = input;
  const credentials = { host, username, password: key, origin: { client: '', correlation: '', address } };
  return attempts.authenticate(credentials).then(
    () => 'ok',
    (error: unknown) => (error instanceof Rejected ? error.code : 'broken'),
  );
};
async function fail(times: number, input: Parameters<typeof present>[0] = {}) {
  for (let count = 0; count < times; count += 1) expect(await present(input)).toBe('INVALID_API_KEY');
}

describe('API keys of requests', () => {
  it('are refused after twenty wrong ones, without a check of the next, and with the time to wait', async () => {
    await fail(20);
    expect(await present({ key: RIGHT })).toBe('RATE_LIMIT_HIT');
    expect(await present({ username: ' ANN@example.com' })).toBe('RATE_LIMIT_HIT');
    expect(keys.asked).toBe(20);
    const refusal = await attempts
      .authenticate({ host: 'here', username: 'ann@example.com', password: WRONG, origin: originAt('203.0.113.9') })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ state: { limit: 20, remaining: 0 } });
    const wait = Number((refusal as Rejected).extra['retry-after']);
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it('are not refused for others at this address, nor for the account at other addresses', async () => {
    await fail(20);
    expect(await present({ username: 'bob@example.com', key: RIGHT })).toBe('ok');
    expect(await present({ address: '203.0.113.10', key: RIGHT })).toBe('ok');
    expect(await present({ host: 'there', key: RIGHT })).toBe('ok');
  });

  it('are refused for an account under each of its hosts and names', async () => {
    for (let count = 0; count < 20; count += 1) {
      const username = count % 2 ? 'Ann@example.com' : 'user7@here.example.com';
      expect(await present({ host: `alias-${count}`, username })).toBe('INVALID_API_KEY');
    }
    expect(await present({ host: 'another-alias' })).toBe('RATE_LIMIT_HIT');
    expect(await present({ host: 'another-alias', username: 'bob@example.com', key: RIGHT })).toBe('ok');
  });

  it('are refused in the same way for names that no account has', async () => {
    await fail(20, { username: 'nobody@example.com' });
    expect(await present({ username: 'nobody@example.com' })).toBe('RATE_LIMIT_HIT');
  });

  it('do not count if they are right, or refused for another reason', async () => {
    for (let count = 0; count < 30; count += 1) {
      expect(await present({ key: RIGHT })).toBe('ok');
      expect(await present({ host: 'nowhere' })).toBe('NONEXISTENT_SUBDOMAIN');
    }
    await fail(20);
  });

  it('are accepted again after the time to wait', async () => {
    await fail(20);
    jest.useFakeTimers({ now: Date.now() + 61_000, doNotFake: ['setTimeout', 'nextTick', 'setImmediate'] });
    try {
      expect(await present({ key: RIGHT })).toBe('ok');
    } finally {
      jest.useRealTimers();
    }
  });

  it('do not count when limits are off', async () => {
    attempts = new KeyAttempts(keys, new Counters(), false);
    await fail(30);
    expect(await present({ key: RIGHT })).toBe('ok');
  });
});

const originAt = (address: string) => ({ client: '', correlation: '', address });
