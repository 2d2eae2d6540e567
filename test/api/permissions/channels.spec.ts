import { CHANNEL_ACTS } from '../../support/permissions/channel-acts';
import { Stage, casesOf, expected } from '../../support/permissions/stage';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(() => stage.close());

describe.each(casesOf('stream', CHANNEL_ACTS))('$setting: $what', ({ asked, ...act }) => {
  it.each(asked)('allows exactly these users: $value', async (one) => {
    expect(await stage.outcomes(act, one)).toEqual(expected('stream', act, one));
  });
});
