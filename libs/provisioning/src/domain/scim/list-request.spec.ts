import { groupsInPage } from './list-request';

describe('a page of groups', () => {
  it.each([
    [[], 0],
    [[5, 0, 7], 3],
    [[20_000], 1],
    [[19_999, 1, 1, 5], 2],
    [[20_001, 1], 1],
    [[0, 30_000, 1], 1],
  ])('with members %j has %d of them', (sizes, groups) => {
    expect(groupsInPage(sizes)).toBe(groups);
  });
});
