import type { ChannelId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import type { DefaultGroupEvent } from './default-group-events';
import {
  MAX_GROUPS,
  changeDefaultGroup,
  createDefaultGroup,
  defaultGroupsAggregate,
  deleteDefaultGroup,
  extendDefaultGroup,
  leaveDefaultGroups,
  reduceDefaultGroup,
  returnToDefaultGroups,
} from './default-groups';

const channel = (id: number, isDefault = false) => ({ id: id as ChannelId, name: `channel ${id}`, isDefault });
const text = (name: string) => ({ name, description: 'For all' });
const groups = (...events: DefaultGroupEvent[]) => given(defaultGroupsAggregate, ...events);
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
  return 'granted';
};

const design = createDefaultGroup(groups(), 1, text('Design'), [channel(7), channel(5), channel(7)]);
const both = [...design, ...createDefaultGroup(groups(...design), 2, text('Sales'), [channel(5)])];
const UNKNOWN = "Default channel group with id '9' does not exist.";

describe('a group of default channels', () => {
  it('is created with its channels', () => {
    expect(design).toEqual([
      {
        type: 'channels.DefaultGroupCreated',
        data: { groupId: 1, channelIds: [5, 7] },
        sealed: { name: 'Design', description: 'For all' },
      },
    ]);
    expect(groups(...design).get(1)).toEqual({ ...text('Design'), channelIds: new Set([5, 7]) });
  });

  it.each([
    ['', "Invalid default channel group name ''"],
    ['  ', "Invalid default channel group name '  '"],
    ['😀'.repeat(61), 'Default channel group name too long (limit: 60 characters)'],
    ['Design', "Default channel group 'Design' already exists"],
    ['design', 'granted'],
    ['😀'.repeat(60), 'granted'],
  ])('has a name of its own: %j', (name, why) => {
    expect(refusal(() => createDefaultGroup(groups(...design), 2, text(name), []))).toBe(why);
    expect(refusal(() => changeDefaultGroup(groups(...both), 2, { name }))).toBe(why);
  });

  it('has no channel that all new accounts get', () => {
    const why = "'channel 3' is a default channel and cannot be added to 'Design'";
    expect(refusal(() => createDefaultGroup(groups(), 1, text('Design'), [channel(1), channel(3, true)]))).toBe(why);
    expect(refusal(() => extendDefaultGroup(groups(...design), 1, [channel(3, true)]))).toBe(why);
  });

  it('is one of a limited number', () => {
    const all = Array.from({ length: MAX_GROUPS }, (_, n) =>
      createDefaultGroup(groups(), n + 1, text(`${n}`), []),
    ).flat();
    const add = (before: DefaultGroupEvent[]) =>
      refusal(() => createDefaultGroup(groups(...before), 999, text('x'), []));
    expect(add(all)).toBe('There can be 100 default channel groups at most');
    expect(add(all.slice(1))).toBe('granted');
  });

  it('gets other texts, where they differ', () => {
    const state = groups(...design);
    const events = changeDefaultGroup(state, 1, { name: 'Drawing', description: 'For some' });
    expect(events.map(({ type, sealed }) => [type, sealed])).toEqual([
      ['channels.DefaultGroupRenamed', { name: 'Drawing' }],
      ['channels.DefaultGroupDescribed', { description: 'For some' }],
    ]);
    expect(groups(...design, ...events).get(1)).toMatchObject({ name: 'Drawing', description: 'For some' });
    expect(changeDefaultGroup(state, 1, { description: 'For all' })).toEqual([]);
    expect(refusal(() => changeDefaultGroup(state, 1, { name: 'Design' }))).toBe(
      "This default channel group is already named 'Design'",
    );
    expect(refusal(() => changeDefaultGroup(state, 9, { name: 'x' }))).toBe(UNKNOWN);
  });

  it('gets and loses channels', () => {
    const state = groups(...design);
    const extended = extendDefaultGroup(state, 1, [channel(9), channel(8)]);
    expect(extended).toMatchObject([
      { type: 'channels.DefaultGroupExtended', data: { groupId: 1, channelIds: [8, 9] } },
    ]);
    const reduced = reduceDefaultGroup(state, 1, [channel(5)]);
    expect(groups(...design, ...extended, ...reduced).get(1)?.channelIds).toEqual(new Set([7, 8, 9]));
    expect([extendDefaultGroup(state, 1, []), reduceDefaultGroup(state, 1, [])]).toEqual([[], []]);
    expect(refusal(() => extendDefaultGroup(state, 1, [channel(8), channel(5)]))).toBe(
      "Channel 'channel 5' is already present in default channel group 'Design'",
    );
    expect(refusal(() => reduceDefaultGroup(state, 1, [channel(8)]))).toBe(
      "Channel 'channel 8' is not present in default channel group 'Design'",
    );
    for (const act of [extendDefaultGroup, reduceDefaultGroup]) {
      expect(refusal(() => act(state, 9, [channel(5)]))).toBe(UNKNOWN);
    }
  });

  it('can be deleted, and its name is free then', () => {
    const deleted = deleteDefaultGroup(groups(...both), 1);
    const state = groups(...both, ...deleted);
    expect([...state.keys()]).toEqual([2]);
    expect(createDefaultGroup(state, 3, text('Design'), [])).toHaveLength(1);
    expect(refusal(() => deleteDefaultGroup(state, 9))).toBe(UNKNOWN);
  });

  it('loses a channel that is archived, and has it again when this is undone', () => {
    const left = leaveDefaultGroups(groups(...both), 5 as ChannelId);
    expect(left.map(({ data }) => data)).toEqual([
      { groupId: 1, channelIds: [5] },
      { groupId: 2, channelIds: [5] },
    ]);
    expect(leaveDefaultGroups(groups(...both, ...left), 5 as ChannelId)).toEqual([]);
    const state = groups(...both, ...left, ...deleteDefaultGroup(groups(...both), 2));
    expect(returnToDefaultGroups(state, 5 as ChannelId, [1, 2])).toMatchObject([
      { type: 'channels.DefaultGroupExtended', data: { groupId: 1, channelIds: [5] } },
    ]);
    expect(returnToDefaultGroups(groups(...both), 5 as ChannelId, [1, 2])).toEqual([]);
  });

  it('has no texts once they were erased', () => {
    const [created] = design;
    if (!created) throw new Error('there is no event');
    const state = defaultGroupsAggregate.evolve(groups(), { ...recorded(created), sealed: 'erased' } as never);
    expect(state.get(1)).toMatchObject({ name: null, description: '' });
    expect(createDefaultGroup(state, 2, text('Design'), [])).toHaveLength(1);
  });
});
