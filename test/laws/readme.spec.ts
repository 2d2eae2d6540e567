import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../../apps/shared/src/settings';

describe('the settings table of the README', () => {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('<!-- settings:begin -->'), readme.indexOf('<!-- settings:end -->'));
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (\S.*?) +\|/gm)].map(([, name, value]) => [name, value] as const);

  it('lists every setting and no other', () => {
    expect(rows.map(([name]) => name).sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('has the defaults of the code', () => {
    const received = rows.filter(([, value]) => value?.startsWith('`'));
    expect(received.length).toBeGreaterThan(5);
    for (const [name = '', value] of received)
      expect([name, value]).toEqual([name, `\`${String(DEFAULT_SETTINGS[name])}\``]);
  });
});
