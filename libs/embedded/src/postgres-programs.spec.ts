import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { preparePostgresHome } from './postgres-home';
import { packageRoot, postgresPrograms } from './postgres-programs';

describe("PostgreSQL's programs", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'annals-programs-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => {
    for (const part of ['package', 'package/native/lib']) chmodSync(join(folder, part), 0o755);
    rmSync(folder, { recursive: true });
  });

  /** An installed package whose install script never ran. */
  function packageWithoutLinks(): { root: string; link: string } {
    const root = join(folder, 'package');
    cpSync(packageRoot(), root, { recursive: true, verbatimSymlinks: true });
    const list = readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8');
    const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(root, target));
    links.forEach((link) => rmSync(link, { force: true }));
    return { root, link: links[0]! };
  }

  const run = (programs: string, home: ReturnType<typeof preparePostgresHome>) =>
    spawnSync(join(programs, 'initdb'), ['--version'], { encoding: 'utf8', cwd: '/', ...home.runAs }).stdout;

  it('run in their package after the missing links have been made', () => {
    const { root, link } = packageWithoutLinks();
    const home = preparePostgresHome(join(folder, 'data'));
    const programs = postgresPrograms(home, root);
    expect(programs).toBe(join(root, 'native/bin'));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(run(programs, home)).toMatch(/^initdb \(PostgreSQL\) 18/);
  });

  it('run in a copy, made once, if their user cannot read the package or the links cannot be made', () => {
    const { root, link } = packageWithoutLinks();
    const home = preparePostgresHome(join(folder, 'data'));
    chmodSync(dirname(link), 0o555); // stops an ordinary user
    chmodSync(root, 0o700); // stops the user that root's PostgreSQL runs as
    const programs = postgresPrograms(home, root);
    expect(programs.startsWith(home.path)).toBe(true);
    expect(run(programs, home)).toMatch(/^initdb \(PostgreSQL\) 18/);
    const { ino } = lstatSync(programs);
    expect(lstatSync(postgresPrograms(home, root)).ino).toBe(ino);
  });
});
