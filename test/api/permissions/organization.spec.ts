import { ORGANIZATION_SETTINGS } from '../../support/permissions/contract';
import { ORGANIZATION_ACTS } from '../../support/permissions/organization-acts';
import { Stage, casesOf, expected } from '../../support/permissions/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ env: { ANNALS_WEB_PUBLIC_CHANNELS: 'on' } });
  await stage.keeper.patch('/realm', { enable_spectator_access: true });
});
afterAll(() => stage.close());

/** Only the permission that is asked for differs from a new organization's. */
afterEach(() => {
  const settings = new Set<string>(ORGANIZATION_ACTS.map(({ setting }) => setting));
  const rules = Object.entries(ORGANIZATION_SETTINGS).filter(([setting]) => settings.has(setting));
  return stage.organization(Object.fromEntries(rules.map(([name, { initially }]) => [name, stage.groups[initially]])));
});

describe.each(casesOf('realm', ORGANIZATION_ACTS))('$setting: $what', ({ asked, ...act }) => {
  it.each(asked)('allows exactly these users: $value', async (one) => {
    expect(await stage.outcomes(act, one)).toEqual(expected('realm', act, one));
  });
});
