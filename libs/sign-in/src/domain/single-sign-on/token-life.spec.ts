import { Rejected } from '@annals/kernel/domain';
import type { TokenTimes } from './token-life';
import { endOfToken } from './token-life';

const NOW = 1_800_000_000;
const DAY = 24 * 60 * 60;
const YEAR = 365 * DAY;

/** The seconds from now to the end of a token, or why it is refused. */
function lifeOf(times: TokenTimes, isLasting: boolean): number | string {
  try {
    return endOfToken(times, NOW * 1000, isLasting) / 1000 - NOW;
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
}

describe('the life of a JSON Web Token', () => {
  const BAD = 'Bad JSON web token';
  const NO_END = `${BAD}: it needs "exp", or "iat" of the last day`;
  const TOO_LONG = `${BAD}: "exp" must be a day ahead at most`;
  const ENDLESS = `${BAD}: "exp" must be a time in seconds, within ten years`;

  it.each<[TokenTimes, number | string, number | string]>([
    [{ exp: NOW + 60 }, 91, 91],
    [{ exp: NOW + DAY, iat: NOW }, DAY + 31, DAY + 31],
    [{ exp: NOW + 2 * DAY }, TOO_LONG, 2 * DAY + 31],
    [{ exp: NOW + 9 * YEAR }, TOO_LONG, 9 * YEAR + 31],
    [{ exp: NOW + 11 * YEAR }, ENDLESS, ENDLESS],
    [{ exp: (NOW + 60) * 1000 }, ENDLESS, ENDLESS],
    [{ exp: 1e300 }, ENDLESS, ENDLESS],
    [{}, NO_END, 10 * YEAR],
    [{ iat: NOW }, DAY + 31, 10 * YEAR],
    [{ iat: NOW - DAY + 10.5 }, 41.5, 10 * YEAR],
    [{ iat: NOW - 2 * DAY }, BAD, 10 * YEAR],
    [{ iat: -1e300 }, BAD, 10 * YEAR],
    [{ iat: NOW + 20 }, DAY + 51, 10 * YEAR],
    [{ iat: NOW + 31 }, BAD, BAD],
    [{ iat: NOW + YEAR, exp: NOW + 60 }, BAD, BAD],
  ])('with %j is %j, and %j where lasting ones are taken', (times, usual, lasting) => {
    expect(lifeOf(times, false)).toBe(usual);
    expect(lifeOf(times, true)).toBe(lasting);
  });
});
