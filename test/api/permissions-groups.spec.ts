import { GROUP_ACTS } from '../support/permissions/group-acts';
import { Stage, casesOf, expected } from '../support/permissions/stage';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(() => stage.close());

describe.each(casesOf('group', GROUP_ACTS))('$setting: $what', ({ values, ...act }) => {
  it.each(values)('is for exactly those whom it lets: %s', async (value) => {
    expect(await stage.outcomes(act, value)).toEqual(expected('group', act, value));
  });
});
