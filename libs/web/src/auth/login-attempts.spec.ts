import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Counters } from '../limits/counters';
import { LoginAttempts } from './login-attempts';

const REALM = 1 as RealmId;
const wrong = () => Promise.reject(new Rejected('AUTHENTICATION_FAILED', 'Wrong'));
const right = () => Promise.resolve('key');
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error: unknown) => (error instanceof Rejected ? error.code : 'broken'),
  );

const from = (address: string | null) => ({
  tellQuota: () => undefined,
  origin: { client: 'test', correlation: '', address },
});
const info = from('203.0.113.9');

let attempts: LoginAttempts;
beforeEach(() => (attempts = new LoginAttempts(new Counters(), true)));

async function fail(times: number, username = 'a@example.com'): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await codeOf(attempts.attempt(REALM, username, info, wrong))).toBe('AUTHENTICATION_FAILED');
  }
}

describe('attempts to log in', () => {
  it('are refused after five failures, even with the right password, and with the time to wait', async () => {
    await fail(5);
    const login = jest.fn(right);
    const refused: unknown = await attempts
      .attempt(REALM, 'a@example.com', info, login)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    const wait = (refused as Rejected).extra['retry-after'];
    expect(wait).toBeGreaterThan(1790);
    expect(wait).toBeLessThanOrEqual(1800);
    expect(login).not.toHaveBeenCalled();
  });

  it('count for a username in one organization, however it is written', async () => {
    await fail(4);
    await fail(1, ' A@Example.COM ');
    expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('RATE_LIMIT_HIT');
    expect(await codeOf(attempts.attempt(REALM, 'b@example.com', info, right))).toBe('ok');
    expect(await codeOf(attempts.attempt(2 as RealmId, 'a@example.com', info, right))).toBe('ok');
  });

  it('that succeed or end in an error do not count', async () => {
    await fail(4);
    for (let count = 0; count < 10; count += 1) {
      expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('ok');
      expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, () => Promise.reject(new Error())))).toBe(
        'broken',
      );
    }
    await fail(1);
    expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('RATE_LIMIT_HIT');
  });

  it('count one after another when they arrive at once', async () => {
    const guesses = Array.from({ length: 20 }, () => codeOf(attempts.attempt(REALM, 'a@example.com', info, wrong)));
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(5);
    expect(codes.filter((code) => code === 'RATE_LIMIT_HIT')).toHaveLength(15);
  });

  it('with the right password may arrive in any number at once', async () => {
    const logins = Array.from({ length: 20 }, () => attempts.attempt(REALM, 'a@example.com', info, right));
    expect(await Promise.all(logins)).toEqual(Array(20).fill('key'));
  });

  it('are refused after a hundred failures from one address, for all usernames, but not from other addresses', async () => {
    const guess = (n: number, address: string) =>
      codeOf(attempts.attempt(REALM, `p${n}@example.com`, from(address), wrong));
    const codes = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n, '203.0.113.9')));
    expect(new Set(codes)).toEqual(new Set(['AUTHENTICATION_FAILED']));
    const quotas: unknown[] = [];
    const refused = { ...info, tellQuota: (state: object) => quotas.push(state) };
    expect(await codeOf(attempts.attempt(REALM, 'z@example.com', refused, right))).toBe('RATE_LIMIT_HIT');
    expect(quotas.at(-1)).toMatchObject({ limit: 100, remaining: 0 });
    expect(await codeOf(attempts.attempt(REALM, 'z@example.com', from('203.0.113.10'), right))).toBe('ok');
  });

  it('of people who mistype their password block nobody else behind their proxy', async () => {
    for (let n = 0; n < 150; n += 1) {
      await fail(2, `p${n}@example.com`);
      expect(await codeOf(attempts.attempt(REALM, `p${n}@example.com`, info, right))).toBe('ok');
    }
    // Each failure is forgiven once, and where it was.
    await fail(2, 'p0@example.com');
    const elsewhere = from('203.0.113.10');
    expect(await codeOf(attempts.attempt(REALM, 'p0@example.com', elsewhere, right))).toBe('ok');
    for (let n = 0; n < 98; n += 1) await fail(1, `q${n}@example.com`);
    expect(await codeOf(attempts.attempt(REALM, 'z@example.com', info, right))).toBe('RATE_LIMIT_HIT');
  });

  it('from one address that arrive at once are no more wrong ones than that, and any number of right ones', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, n) => attempts.attempt(REALM, `p${n}@example.com`, info, right));
    expect(new Set(await Promise.all(thousand))).toEqual(new Set(['key']));
    const guesses = Array.from({ length: 150 }, (_, n) => codeOf(attempts.attempt(REALM, `g${n}`, info, wrong)));
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(100);
    expect(codes.filter((code) => code === 'RATE_LIMIT_HIT')).toHaveLength(50);
  });

  it('from one address wait when all that run may fail, and begin as they end', async () => {
    for (let n = 0; n < 99; n += 1) await codeOf(attempts.attempt(REALM, `p${n}@example.com`, info, wrong));
    let open = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
    };
    const logins = Array.from({ length: 10 }, (_, n) => codeOf(attempts.attempt(REALM, `q${n}`, info, slow)));
    expect(await Promise.all(logins)).toEqual(Array(10).fill('ok'));
    expect(most).toBe(1);
  });

  it('with one name are thirty a minute, and so are logins with one token', async () => {
    for (let n = 0; n < 30; n += 1) {
      expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('ok');
      expect(await codeOf(attempts.countLogin(REALM, 'token', info))).toBe('ok');
    }
    expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('RATE_LIMIT_HIT');
    expect(await codeOf(attempts.countLogin(REALM, 'token', info))).toBe('RATE_LIMIT_HIT');
    expect(await codeOf(attempts.countLogin(REALM, 'another', info))).toBe('ok');
    expect(await codeOf(attempts.attempt(REALM, 'b@example.com', info, right))).toBe('ok');
  });

  it('that begin a login forgive nothing until it is complete', async () => {
    const begin = (n: number) => attempts.attempt(REALM, `p${n}`, info, right, { isComplete: () => false });
    for (let n = 0; n < 25; n += 1) {
      expect(await codeOf(begin(n))).toBe('ok');
      await fail(4, `p${n}`);
      await codeOf(begin(n));
    }
    expect(await codeOf(attempts.attempt(REALM, 'z@example.com', info, right))).toBe('RATE_LIMIT_HIT');
  });

  it('that wait for their address let others with the same name begin', async () => {
    for (let n = 0; n < 99; n += 1) await codeOf(attempts.attempt(REALM, `p${n}`, info, wrong));
    let finish: (key: string) => void = () => undefined;
    const slow = attempts.attempt(REALM, 'slow', info, () => new Promise<string>((resolve) => (finish = resolve)));
    const waiting = codeOf(attempts.attempt(REALM, 'a@example.com', info, right));
    expect(await codeOf(attempts.attempt(REALM, 'a@example.com', from('203.0.113.10'), right))).toBe('ok');
    finish('key');
    expect([await slow, await waiting]).toEqual(['key', 'ok']);
  });

  it('of one person never block the others behind their proxy', async () => {
    await fail(5);
    for (let count = 0; count < 200; count += 1) {
      expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, wrong))).toBe('RATE_LIMIT_HIT');
    }
    expect(await codeOf(attempts.attempt(REALM, 'b@example.com', info, right))).toBe('ok');
  });

  it('count for the network of an IPv6 address', async () => {
    for (let n = 0; n < 100; n += 1) {
      await codeOf(attempts.attempt(REALM, `p${n}@example.com`, from(`2001:db8::${n.toString(16)}`), wrong));
    }
    const guess = (address: string) => codeOf(attempts.attempt(REALM, 'z@example.com', from(address), right));
    expect(await guess('2001:db8::ffff')).toBe('RATE_LIMIT_HIT');
    expect(await guess('2001:db8:0:1::1')).toBe('ok');
  });

  it('count only failures of the password, if the attempt can be refused for other reasons', async () => {
    const weak = () => Promise.reject(new Rejected('BAD_REQUEST', 'too weak'));
    const rules = { isFailure: ({ code }: Rejected) => code === 'AUTHENTICATION_FAILED' };
    for (let count = 0; count < 10; count += 1) {
      expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, weak, rules))).toBe('BAD_REQUEST');
    }
    expect(await codeOf(attempts.attempt(REALM, 'a@example.com', info, right))).toBe('ok');
  });

  it('are not counted when limits are off', async () => {
    attempts = new LoginAttempts(new Counters(), false);
    await fail(20);
  });
});
