import fc from 'fast-check';
import type { Person } from './organization';
import type { TestServer } from './server';

/** Wishes about groups that people made, by number; what is refused when its turn comes is left out. */
export type GroupWish =
  | { readonly kind: 'group'; readonly members: readonly number[]; readonly subgroup: number }
  | { readonly kind: 'enter' | 'nest'; readonly group: number; readonly what: number; readonly isMore: boolean }
  | { readonly kind: 'alter group'; readonly group: number; readonly how: (typeof ALTERATIONS)[number] };

const ALTERATIONS = ['rename', 'describe', 'set', 'end', 'begin again'] as const;

const group = fc.nat(5);
export const groupWish: fc.Arbitrary<GroupWish> = fc.oneof(
  fc.record({
    kind: fc.constant('group' as const),
    members: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
    subgroup: fc.nat(12),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('enter' as const, 'nest' as const),
      group,
      what: fc.nat(12),
      isMore: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('alter group' as const), group, how: fc.constantFrom(...ALTERATIONS) }),
  },
);

/** Groups that the owner makes and changes in a law about what may happen. */
export class MadeGroups {
  private readonly ids: number[] = [];
  private count = 0;

  /**
   * @param system ids of the system groups, which may be subgroups
   * @param others people beside the viewers, who may have left
   */
  constructor(
    private readonly server: TestServer,
    private readonly viewers: readonly Person[],
    private readonly system: readonly number[],
    private readonly others: readonly number[],
  ) {}

  /** One of them for the first numbers, none for others. */
  some(index: number): number | undefined {
    return index < 6 ? pick(this.ids, index) : undefined;
  }

  async fulfil(wish: GroupWish): Promise<void> {
    const { owner } = this.server;
    switch (wish.kind) {
      case 'group': {
        const made = {
          name: `group ${++this.count}`,
          description: '',
          members: wish.members.map((who) => this.person(who)),
        };
        const subgroup = this.subgroup(wish.subgroup);
        const { body } = await owner.post<{ group_id?: number }>('/user_groups/create', {
          ...made,
          subgroups: subgroup === undefined ? [] : [subgroup],
        });
        if (body.group_id !== undefined) this.ids.push(body.group_id);
        return;
      }
      case 'enter':
        await this.change(wish, 'members', this.person(wish.what));
        return;
      case 'nest':
        await this.change(wish, 'subgroups', this.subgroup(wish.what));
        return;
      case 'alter group':
        return this.alter(`/user_groups/${pick(this.ids, wish.group) ?? 0}`, wish.how);
    }
  }

  private async change(wish: { group: number; isMore: boolean }, list: string, what: number | undefined) {
    const group = pick(this.ids, wish.group);
    await this.server.owner.post(`/user_groups/${group ?? 0}/${list}`, { [wish.isMore ? 'add' : 'delete']: [what] });
  }

  private async alter(group: string, how: (typeof ALTERATIONS)[number]): Promise<void> {
    const { owner } = this.server;
    switch (how) {
      case 'rename':
        await owner.patch(group, { name: `group ${++this.count}` });
        return;
      case 'describe':
        await owner.patch(group, { description: `description ${++this.count}` });
        return;
      case 'set': {
        const value = { direct_members: this.others.slice(-1), direct_subgroups: this.system.slice(1, 3) };
        await owner.patch(group, { can_join_group: { new: value } });
        return;
      }
      case 'end':
        await owner.post(`${group}/deactivate`);
        return;
      case 'begin again':
        await owner.patch(group, { deactivated: false });
        return;
    }
  }

  private person(index: number): number {
    return this.viewers[index]?.id ?? this.others.at(-1) ?? this.server.owner.id;
  }

  /** A group that people made, or of the system. */
  private subgroup(index: number): number | undefined {
    return this.ids[index] ?? this.system[index - 5];
  }
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
