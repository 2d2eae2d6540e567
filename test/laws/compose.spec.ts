import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../apps/shared/src/settings';

const textOf = (file: string) => readFileSync(join(__dirname, '..', '..', file), 'utf8');

/** Settings that docker-compose.yml sets itself, because they belong to its containers. */
const OWN = ['HOST', 'PORT', 'ANNALS_WORKER_PORT', 'ANNALS_DATA_DIR'];
/** Settings that only the setup needs. */
const OF_SETUP = ['ANNALS_ORGANIZATION', 'ANNALS_OWNER_EMAIL', 'ANNALS_OWNER_PASSWORD', 'ANNALS_OWNER_API_KEY'];

describe('docker-compose.yml', () => {
  const compose = textOf('docker-compose.yml');
  const services = compose.indexOf('\nservices:');
  const setup = compose.slice(compose.indexOf('\n  setup:'), compose.indexOf('\n  postgres:'));
  const given = (text: string) =>
    new Map([...text.matchAll(/^ +([A-Z][A-Z_]+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]));

  it('passes every setting and no other', () => {
    const everywhere = given(compose.slice(0, services));
    const inSetup = given(setup);
    expect([...inSetup.keys()].sort()).toEqual([...OF_SETUP].sort());
    expect([...everywhere.keys(), ...inSetup.keys()].sort()).toEqual([...SETTING_NAMES].sort());
    for (const [name, value] of [...everywhere, ...inSetup]) {
      if (OWN.includes(name)) continue;
      expect(value).toMatch(new RegExp(`^\\$\\{${name}:-.*\\}$`));
    }
  });

  it('trusts its one proxy', () => {
    expect(given(compose).get('ANNALS_TRUSTED_PROXIES')).toBe('${ANNALS_TRUSTED_PROXIES:-1}');
  });
});

describe('haproxy.cfg', () => {
  const config = textOf('haproxy.cfg');

  it.each(['client', 'server'])('waits longer for the %s than a request for events hangs', (side) => {
    const [, seconds] = new RegExp(`^ +timeout ${side} (\\d+)s$`, 'm').exec(config) ?? [];
    expect(Number(seconds)).toBeGreaterThan(100);
  });

  it('asks an api for readiness, without the checks that would remove all api processes at once', () => {
    expect(config).toMatch(/^ +option httpchk GET \/health\/ready\?exclude=followers&exclude=writes$/m);
  });
});
