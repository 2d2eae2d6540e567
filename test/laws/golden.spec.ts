import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EventRegistry, kernelContext } from '@annals/kernel';
import type { Position } from '@annals/kernel/domain';
import { contexts } from '../../apps/shared/src/contexts';
import type { Golden } from '../golden/golden';
import { GOLDEN, decodeGolden, goldenName } from '../golden/golden';

const definitions = [kernelContext, ...contexts].flatMap((context) => context.events);
const registry = new EventRegistry(definitions);
const read = (name: string) => JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')) as Golden;

const released = definitions.flatMap(({ type, v }) =>
  Array.from({ length: v }, (_, earlier) => ({ type, v: earlier + 1, name: goldenName(type, earlier + 1) })),
);

describe('golden files', () => {
  it('exist for every version of every event type, and for nothing else', () => {
    const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.json'));
    expect(files.sort()).toEqual(released.map(({ name }) => name).sort());
  });

  it.each(released)('$type in version $v is read as always', ({ type, v, name }) => {
    const golden = read(name);
    expect(decodeGolden(registry, type, v, golden)).toEqual(golden.current);
  });

  it.each(released)('$type in version $v is about things of the declared kinds', ({ type, name }) => {
    const { subjects } = registry.definition(type);
    const kinds = subjects(read(name).current.data, 1 as Position).map(([kind]) => kind);
    expect(kinds.filter((kind) => !registry.kindsOf(type).includes(kind))).toEqual([]);
  });

  it.each(released)('$type in version $v fits what readers expect today', ({ type, name }) => {
    const { data, sealed } = read(name).current;
    expect(registry.check(type, data, sealed).type).toBe(type);
  });
});
