import { isFromNewDevice } from './known-devices';

const login = (client: string, network: string | null) => ({ client, network });

describe('a login from a new device', () => {
  it.each([
    ['is not the first one', login('app', 'a'), [], false],
    ['has a program that no earlier one had', login('browser', 'a'), [login('app', 'a')], true],
    ['has a network that no earlier one had', login('app', 'b'), [login('app', 'a')], true],
    ['has no earlier one with both', login('app', 'a'), [login('app', 'b'), login('browser', 'a')], true],
    ['is not one like an earlier one', login('app', 'a'), [login('browser', 'b'), login('app', 'a')], false],
    ['may be one whose earlier address was erased', login('app', 'a'), [login('app', null)], true],
    ['may have no address itself', login('app', null), [login('app', null)], true],
  ])('%s', (_, now, earlier, isNew) => {
    expect(isFromNewDevice(now, earlier)).toBe(isNew);
  });
});
