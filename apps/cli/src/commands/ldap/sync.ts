import type { Kernel } from '@annals/kernel';
import { JsonLog } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { RunResult } from '@annals/provisioning';
import { DirectoryModule, DirectoryRuns, countsText, reportLines } from '@annals/provisioning';
import { ServerAddress, isActiveSql } from '@annals/realm';
import { OfferedDirectories } from '@annals/sign-in';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { contextModules } from '../../../../shared/src/modules/context-modules';
import { defaultAddressOf } from '../../../../shared/src/open-kernel';
import type { Settings } from '../../../../shared/src/settings';
import type { Named } from '../organizations/named';
import { realmNamed } from '../organizations/named';

/** The options of `annals ldap sync`. */
export interface SyncOptions {
  readonly dryRun: boolean;
  readonly force: boolean;
  /** As `organizationNamed` reads it. Left out: all active ones that have a directory. */
  readonly organization?: string | undefined;
}

interface Output {
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

class SyncProgram {}

/**
 * `annals ldap sync`: makes accounts follow the directories of `ANNALS_SIGN_ON_FILE` now, or says what would change. Closes
 * the kernel.
 *
 * @returns 0, or 1 when a run was refused, failed, or is being made by another process
 * @throws Error when no active organization has a directory
 */
export async function syncDirectories(
  kernel: Kernel,
  settings: Settings,
  options: SyncOptions,
  output: Output,
): Promise<number> {
  const address = new ServerAddress(defaultAddressOf(settings));
  const imports = [...contextModules({ kernel, settings, address }), DirectoryModule];
  const app = await NestFactory.createApplicationContext(
    { module: SyncProgram, imports },
    { logger: new JsonLog('error'), abortOnError: false },
  );
  try {
    return await syncAll({ kernel, settings }, app, options, output);
  } finally {
    await app.close();
  }
}

async function syncAll(
  opened: Pick<Named, 'kernel' | 'settings'>,
  app: INestApplicationContext,
  { dryRun: isDryRun, force: isForced, organization }: SyncOptions,
  { print, signal }: Output,
): Promise<number> {
  await opened.kernel.fence.look();
  const directories = app.get(OfferedDirectories);
  let runs = 0;
  let failures = 0;
  for (const { realmId, subdomain } of await organizations(opened, organization)) {
    const directory = await directories.of(realmId);
    if (!directory || signal.aborted) continue;
    runs++;
    const result = await app.get(DirectoryRuns).run(realmId, directory, { isDryRun, isForced, signal });
    print(`Organization ${subdomain || realmId}, directory ${directory.name}`);
    for (const line of linesOf(result)) print(`  ${line}`);
    if (result === null || result === 'running elsewhere' || result.outcome !== 'done') failures++;
  }
  if (runs === 0) throw new Error('no active organization has a directory; ANNALS_SIGN_ON_FILE names it');
  return failures === 0 ? 0 : 1;
}

function linesOf(result: RunResult | null): string[] {
  if (result === null || result === 'running elsewhere') return ['another process makes a run now'];
  const { outcome, reason, isDryRun, counts } = result;
  const summary = countsText(counts);
  if (outcome === 'failed') return [`failed: ${reason ?? ''}`];
  const end = summary === '' ? 'nothing changes' : `${isDryRun ? 'would change' : 'changed'}: ${summary}`;
  const lines = reportLines(result);
  if (outcome === 'refused') return [...lines, `refused: ${reason ?? ''}`];
  return [...lines, end];
}

async function organizations(
  opened: Pick<Named, 'kernel' | 'settings'>,
  named: string | undefined,
): Promise<readonly { readonly realmId: RealmId; readonly subdomain: string }[]> {
  const realmId = named === undefined ? null : await realmNamed(opened, named);
  const { rows } = await opened.kernel.database.pool.query<{ realmId: RealmId; subdomain: string; isActive: boolean }>(
    `SELECT r.realm_id AS "realmId", r.subdomain, ${isActiveSql('r.realm_id')} AS "isActive" FROM view.realms AS r
      WHERE $1::int4 IS NULL OR r.realm_id = $1 ORDER BY 1`,
    [realmId],
  );
  const active = rows.filter(({ isActive }) => isActive);
  const [one] = rows;
  if (named !== undefined && one && active.length === 0)
    throw new Error(`Organization ${one.subdomain || one.realmId} is deactivated.`);
  return active;
}
