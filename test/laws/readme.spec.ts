import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../../apps/shared/src/settings';

const root = join(__dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('says how many languages have texts of their own', () => {
    const texts = readdirSync(join(root, 'libs', 'languages', 'src', 'texts'), { withFileTypes: true });
    const languages = texts.filter((entry) => entry.isDirectory()).length;
    expect(/in (\d+) languages/.exec(readme)?.[1]).toBe(String(languages));
  });
});

describe('the settings table of the README', () => {
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
