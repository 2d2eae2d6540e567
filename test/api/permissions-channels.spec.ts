import { CHANNEL_ACTS } from '../support/permissions/channel-acts';
import { Stage, casesOf, expected } from '../support/permissions/stage';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(() => stage.close());

describe.each(casesOf('stream', CHANNEL_ACTS))('$setting: $what', ({ values, ...act }) => {
  it.each(values)('is for exactly those whom it lets: %s', async (value) => {
    expect(await stage.outcomes(act, value)).toEqual(expected('stream', act, value));
  });
});
