import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
/** Files that build tools write, and events as they were stored, which are data. */
const LEFT_OUT = /(^|\/)(dist|node_modules)\/|^test\/golden\//;
const MOST = 20;

const files = ['apps', 'libs', 'test', 'bench']
  .flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((file) => !LEFT_OUT.test(file));

describe('folders', () => {
  it(`have at most ${MOST} files, so that a reader sees at once what is in them`, () => {
    const sizes = new Map<string, number>();
    for (const folder of files.map((file) => dirname(file))) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    expect(sizes.size).toBeGreaterThan(100);
    const full = [...sizes].filter(([, size]) => size > MOST).map(([folder, size]) => `${folder}: ${size}`);
    expect(full.sort()).toEqual([]);
  });

  it('of a subject have no index: `index.ts` is an entry of a library', () => {
    const entries = /^libs\/[\w-]+\/src\/(http\/)?index\.ts$|^libs\/kernel\/src\/domain\/index\.ts$/;
    const indexes = files.filter((file) => /^(apps|libs)\//.test(file) && basename(file) === 'index.ts');
    expect(indexes.length).toBeGreaterThan(10);
    expect(indexes.filter((file) => !entries.test(file))).toEqual([]);
  });
});
