import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppProcess } from '../../support/processes/processes';

const ROOT = join(__dirname, '../../..');
/** The sources of a release. */
const SOURCES = ['apps', 'libs', '.swcrc', 'package.json'];

type Environment = Readonly<Record<string, string>>;

/** A release of ours, built in a folder of its own as `npm run build` does it. */
export class Release {
  private constructor(private readonly folder: string) {}

  /** Of an earlier commit. @throws Error when the clone does not have it */
  static ofCommit(commit: string): Release {
    return Release.build((folder) => {
      const archive = execFileSync('git', ['archive', commit, ...SOURCES], { cwd: ROOT, maxBuffer: 1e9 });
      execFileSync('tar', ['-x', '-C', folder], { input: archive });
    });
  }

  /**
   * Of this work tree, with an inline read model in a version of its own: the next one, whose table has one more
   * column.
   *
   * @param view its source, without the extension
   */
  static withNewer(view: string): Release {
    const release = Release.build((folder) => {
      for (const source of SOURCES) cpSync(join(ROOT, source), join(folder, source), { recursive: true });
    });
    const file = join(release.folder, 'dist', `${view}.js`);
    const before = readFileSync(file, 'utf8');
    const after = before
      .replace(/version: (\d+)/, (_, version) => `version: ${Number(version) + 1}`)
      .replace(/columns: \{/, "columns: { only_newer: 'bool',");
    if (after === before) throw new Error(`there is no read model in ${view}`);
    writeFileSync(file, after);
    return release;
  }

  private static build(fill: (folder: string) => void): Release {
    const folder = mkdtempSync(join(tmpdir(), 'annals-release-'));
    mkdirSync(folder, { recursive: true });
    fill(folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    execFileSync('npx', ['swc', 'apps', 'libs', '--quiet', '--out-dir', 'dist'], { cwd: folder, stdio: 'pipe' });
    return new Release(folder);
  }

  start(app: 'api' | 'worker', env: Environment, onOutput: (text: string) => void): Promise<AppProcess> {
    return AppProcess.start(app, env, onOutput, { main: this.main(app), execArgv: [] });
  }

  /**
   * `annals …`.
   *
   * @returns its output
   * @throws Error when it fails
   */
  annals(env: Environment, ...args: readonly string[]): string {
    return execFileSync(process.execPath, [this.main('cli'), ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  }

  drop(): void {
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true });
  }

  private main(app: string): string {
    return join(this.folder, 'dist/apps', app, 'src/main.js');
  }
}
