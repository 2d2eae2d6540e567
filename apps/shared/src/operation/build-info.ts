import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface BuildInfo {
  readonly version: string;
  /** The first digits of the digest of the sources that were built. `unknown` if the build did not store it. */
  readonly build: string;
  /** Version of Node. */
  readonly node: string;
}

const DIGITS = 12;

const projectRoot = (function find(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : find(dirname(folder));
})(__dirname);

/** The version of the running program. */
export function buildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const buildId = join(projectRoot, 'dist', '.build-id');
  const build = existsSync(buildId) ? readFileSync(buildId, 'utf8').slice(0, DIGITS) : 'unknown';
  return { version, build, node: process.versions.node };
}
