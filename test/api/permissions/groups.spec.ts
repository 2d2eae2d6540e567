import { GROUP_ACTS } from '../../support/permissions/group-acts';
import { Stage, casesOf, expected } from '../../support/permissions/stage';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(() => stage.close());

describe.each(casesOf('group', GROUP_ACTS))('$setting: $what', ({ asked, ...act }) => {
  it.each(asked)('allows exactly these users: $value', async (one) => {
    expect(await stage.outcomes(act, one)).toEqual(expected('group', act, one));
  });
});
