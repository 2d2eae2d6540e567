import type { GroupId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';

/** A group and another one directly inside it. */
export type Edge = readonly [group: GroupId, subgroup: GroupId];

const outer = ([group]: Edge): GroupId => group;
const inner = ([, subgroup]: Edge): GroupId => subgroup;

const NONE: ReadonlySet<GroupId> = new Set();
/** Most ids in all cached sets of users in several groups. Beyond it they are computed again. */
const MAX_KEPT = 500_000;

/** Which groups contain which, also indirectly. Results are computed once and cached. */
export class Nesting {
  private readonly supergroups: ReadonlyMap<GroupId, readonly GroupId[]>;
  private readonly subgroups: ReadonlyMap<GroupId, readonly GroupId[]>;
  private readonly wider = new Map<GroupId, ReadonlySet<GroupId>>();
  private readonly narrower = new Map<GroupId, ReadonlySet<GroupId>>();
  /** The groups of a direct member of several groups, by these groups. */
  private readonly together = new Map<string, ReadonlySet<GroupId>>();
  private kept = 0;

  constructor(edges: readonly Edge[]) {
    this.subgroups = grouped(edges, outer, inner);
    this.supergroups = grouped(edges, inner, outer);
  }

  /** The group itself and all groups that contain it. */
  above = (group: GroupId): ReadonlySet<GroupId> => reach(group, this.supergroups, this.wider);

  /** The group itself and all groups in it. */
  below = (group: GroupId): ReadonlySet<GroupId> => reach(group, this.subgroups, this.narrower);

  directlyBelow = (group: GroupId): readonly GroupId[] => this.subgroups.get(group) ?? [];

  directlyAbove = (group: GroupId): readonly GroupId[] => this.supergroups.get(group) ?? [];

  /** All groups that a direct member of these groups is in. */
  reachedFrom(direct: readonly GroupId[]): ReadonlySet<GroupId> {
    const [first, ...others] = direct;
    if (first === undefined) return NONE;
    // Most accounts are in one group by their role and in no other, so they share its set.
    if (others.length === 0) return this.above(first);
    const key = direct.join();
    const known = this.together.get(key);
    if (known) return known;
    const reached = new Set<GroupId>();
    for (const group of direct) {
      // A member of a group is in all its supergroups, so those of a group that was reached before add nothing.
      if (!reached.has(group)) for (const wider of this.above(group)) reached.add(wider);
    }
    this.keep(key, reached);
    return reached;
  }

  private keep(key: string, reached: ReadonlySet<GroupId>): void {
    this.kept += reached.size;
    if (this.kept > MAX_KEPT) {
      this.together.clear();
      this.kept = reached.size;
    }
    this.together.set(key, reached);
  }
}

function reach(
  start: GroupId,
  next: ReadonlyMap<GroupId, readonly GroupId[]>,
  kept: Map<GroupId, ReadonlySet<GroupId>>,
): ReadonlySet<GroupId> {
  const known = kept.get(start);
  if (known) return known;
  const reached = new Set([start]);
  // A set is iterated in the order of insertion, with what is added meanwhile.
  for (const group of reached) for (const further of next.get(group) ?? []) reached.add(further);
  kept.set(start, reached);
  return reached;
}
