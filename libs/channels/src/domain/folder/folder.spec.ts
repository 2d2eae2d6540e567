import type { UserId } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import { changeFolder, createFolder, folderState, foldersAggregate, reorderFolders } from './folder';
import type { FolderEvent } from './folder-events';

const actor = { userId: 7 as UserId };
const create = (id: number, name: string, ...before: FolderEvent[]) =>
  createFolder(folders(...before), id, { name, description: '' }, actor);
const folders = (...events: FolderEvent[]) => given(foldersAggregate, ...events);
const work = create(1, 'Work');
const both = [...work, ...create(2, 'Play')];
const archived = [...both, ...changeFolder(folders(...both), 2, { isArchived: true }, false)];

describe('channel folders', () => {
  it('have unique names in any letter case, among those that are not archived', () => {
    expect(() => create(3, 'WORK', ...both)).toThrow(/already exists/);
    expect(create(3, 'play', ...archived)).toHaveLength(1);
    expect(() => changeFolder(folders(...both), 2, { name: 'work' }, false)).toThrow(/already exists/);
    expect(changeFolder(folders(...both), 1, { name: 'WORK' }, false)).toHaveLength(1);
    const taken = [...archived, ...create(3, 'play', ...archived)];
    expect(() => changeFolder(folders(...taken), 2, { isArchived: false }, false)).toThrow(/already exists/);
    const elsewhere = { isArchived: false, name: 'Games' };
    expect(changeFolder(folders(...taken), 2, elsewhere, false)).toHaveLength(2);
  });

  it('record only changes, and are not archived with channels inside', () => {
    const state = folders(...both);
    expect(changeFolder(state, 1, { name: 'Work', description: '', isArchived: false }, true)).toEqual([]);
    const events = changeFolder(state, 1, { name: 'Job', description: 'a\nb', isArchived: true }, false);
    expect(events.map(({ type, sealed }) => [type, sealed])).toEqual([
      ['channels.FolderRenamed', { name: 'Job' }],
      ['channels.FolderDescribed', { description: 'a b' }],
      ['channels.FolderArchived', null],
    ]);
    expect(() => changeFolder(state, 1, { isArchived: true }, true)).toThrow(/taken out/);
    expect(() => changeFolder(state, 9, { name: 'x' }, false)).toThrow(/Invalid channel folder/);
  });

  it('are ordered all together, also archived ones', () => {
    const state = folders(...archived);
    expect(reorderFolders(state, [2, 1])[0]).toMatchObject({ data: { order: [2, 1] } });
    for (const wrong of [[1], [1, 1], [1, 2, 3], []]) expect(() => reorderFolders(state, wrong)).toThrow(/every/);
    expect(reorderFolders(folders(), [])).toEqual([]);
  });

  it('decide whether a channel may be added', () => {
    const state = folders(...archived);
    const states = [null, 1, 2, 3].map((id) => folderState(state, id));
    expect(states).toEqual(['none', 'open', 'archived', 'unknown']);
  });
});
