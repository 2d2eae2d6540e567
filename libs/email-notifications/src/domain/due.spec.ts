import type { Instant } from '@annals/kernel/domain';
import { mailDueAt, offlineFrom } from './due';

const at = (ms: number) => ms as Instant;
const OFFLINE = 200_000;

describe('the time at which a mail is due', () => {
  it.each([
    ['the end of the batching period', 120, null, 1_120_000],
    ['that of a user who was active long before', 120, 800_000, 1_120_000],
    ['not before the user is offline', 120, 990_000, 1_190_001],
    ['the end of the period of a user who goes offline before it', 3_600, 990_000, 4_600_000],
  ])('is %s', (_, period, activeAt, due) => {
    expect(mailDueAt(at(1_000_000), period, activeAt === null ? null : at(activeAt), OFFLINE)).toBe(due);
  });

  it('is after the last moment at which the user counts as online', () => {
    expect(offlineFrom(at(5_000), OFFLINE)).toBe(205_001);
  });
});
