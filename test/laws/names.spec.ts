import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const DECLARED = /^export (?:abstract )?(?:class|interface|type) (\w+)/gm;

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|dist\/|spec-support|\.spec\.ts$/.test(file))
    .map((file) => `${folder}/${file}`),
);

describe('names', () => {
  it('of exported types mean one thing, so that a reader who knows a name knows it everywhere', () => {
    const files = new Map<string, Set<string>>();
    for (const file of sources) {
      for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(DECLARED))
        files.set(name, (files.get(name) ?? new Set()).add(file));
    }
    expect(files.size).toBeGreaterThan(500);
    const twofold = [...files].filter(([, declaring]) => declaring.size > 1);
    expect(twofold.map(([name, declaring]) => [name, ...declaring])).toEqual([]);
  });
});
