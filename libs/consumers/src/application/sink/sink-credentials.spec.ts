import type { RealmId } from '@annals/kernel/domain';
import type { SinkTarget } from '../../domain/sink/sink-target';
import { SinkCredentials } from './sink-credentials';

const login = { servers: ['nats.example.com:4222', '[2001:db8::1]:4222'], password: 'x' };
const all = new SinkCredentials({ lake: login, ours: { ...login, organizations: [1] } });
const of = (credentials: string | null, ...servers: string[]): SinkTarget => ({
  ...{ kind: 'nats', servers, stream: 'chat', subjectPrefix: '', credentials },
});
const forRealm = (realmId: number, target: SinkTarget) => all.for(realmId as RealmId, target);

describe('the logins of the settings', () => {
  it('are for the servers that they name, in whatever form these are written', () => {
    expect(forRealm(1, of('lake', 'tls://nats.example.com', 'tls://[2001:DB8::1]:4222'))).toBe(login);
    expect(forRealm(1, of('lake', 'nats://NATS.example.com:4222/'))).toBe(login);
  });

  it.each([
    ['another port', 'nats://nats.example.com:4223'],
    ['another host', 'nats://nats.example.com.evil.example:4222'],
    ['one more server', 'nats://nats.example.com', 'nats://evil.example'],
    ['a login before the host', 'nats://nats.example.com:4222@evil.example'],
  ])('are not sent to %s', (_, ...servers) => {
    expect(forRealm(1, of('lake', ...servers))).toBeUndefined();
  });

  it('are for the organizations that they name, or for all', () => {
    const server = 'tls://nats.example.com';
    expect(forRealm(1, of('ours', server))).toMatchObject(login);
    expect(forRealm(2, of('ours', server))).toBeUndefined();
    expect(forRealm(2, of('lake', server))).toBe(login);
  });

  it('are not needed', () => {
    expect(forRealm(1, of(null, 'tls://evil.example'))).toBeNull();
    expect(forRealm(1, of('nobody', 'tls://nats.example.com'))).toBeUndefined();
    expect(forRealm(1, of('constructor', 'tls://nats.example.com'))).toBeUndefined();
  });
});
