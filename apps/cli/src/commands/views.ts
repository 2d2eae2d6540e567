import type { Difference, Kernel } from '@annals/kernel';
import { busy } from '../progress';
import { rebuildProgress } from '../rebuild-progress';

type Print = (line: string) => void;

/**
 * `annals views rebuild`: builds read models beside the live ones and reports the differences. The live ones continue.
 * If it is stopped, the next run continues.
 *
 * @param names of read models. All when there are none
 * @returns 0
 */
export async function rebuildViews(
  kernel: Kernel,
  names: readonly string[],
  { makeLive, restart, signal }: { makeLive: boolean; restart: boolean; signal: AbortSignal },
  print: Print,
): Promise<number> {
  const wanted = chosen(kernel, names);
  const rebuild = rebuildProgress(kernel, signal);
  await rebuild.run((build) => build.build(wanted, { restart }));
  for (const name of wanted) {
    const differences = await busy(`${name}: comparing`, () => kernel.rebuild().diff(name));
    print(`${name}: built`);
    for (const line of differences.length === 0 ? ['  equal to the live version'] : differences.map(describe))
      print(line);
  }
  return makeLive ? switchViews(kernel, wanted, signal, print) : 0;
}

/** `annals views switch`: makes built read models live, all at once and without a failed request. */
export async function switchViews(
  kernel: Kernel,
  names: readonly string[],
  signal: AbortSignal,
  print: Print,
): Promise<number> {
  const wanted = chosen(kernel, names);
  await rebuildProgress(kernel, signal).run((build) => build.run(wanted));
  for (const name of wanted) print(`${name}: live`);
  return 0;
}

/** `annals views upgrade`: builds and switches the read models that are not live in the version of this code. */
export async function upgradeViews(kernel: Kernel, signal: AbortSignal, print: Print): Promise<number> {
  let changed: string[] = [];
  await rebuildProgress(kernel, signal).run(async (build) => void (changed = await build.upgrade()));
  print(
    changed.length === 0
      ? 'Every read model is live in the version of this release.'
      : `Live now: ${changed.join(', ')}`,
  );
  return 0;
}

/** `annals views drop-old`: drops the tables that were replaced. */
export async function dropOldViews(kernel: Kernel, names: readonly string[], print: Print): Promise<number> {
  const dropped = await kernel.store.dropPrevious(names.length === 0 ? undefined : chosen(kernel, names));
  print(dropped.length === 0 ? 'There is nothing to drop.' : `Dropped replaced versions of: ${dropped.join(', ')}`);
  return 0;
}

/** @throws Error naming the first that does not exist */
function chosen(kernel: Kernel, names: readonly string[]): string[] {
  const known = kernel.projections.map((projection) => projection.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no read model ${unknown}; there are ${known.join(', ')}.`);
  return names.length === 0 ? known : [...names];
}

function describe({ table, onlyLive, onlyOther, different, note }: Difference): string {
  if (note !== undefined) return `  ${table}: ${note}`;
  return `  ${table}: ${different} rows differ, ${onlyOther} only in the new version, ${onlyLive} only in the live version`;
}
