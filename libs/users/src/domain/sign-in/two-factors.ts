import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { TwoFactorEvent } from './two-factor-events';
import { RecoveryCodeUsed, TwoFactorsBegan, TwoFactorsEnded } from './two-factor-events';

/** Recovery codes of an account, for a person who has lost the app. */
export const RECOVERY_CODES = 10;

/** Whether logins with a password need a code too. */
export interface TwoFactors {
  readonly isOn: boolean;
  readonly recoveryCodes: number;
}

export const twoFactorsAggregate = defineAggregate<TwoFactors, TwoFactorEvent, UserId>(
  'two-factors',
  { isOn: false, recoveryCodes: 0 },
  (_, event) => {
    switch (event.type) {
      case 'users.TwoFactorsBegan':
        return { isOn: true, recoveryCodes: event.data.recoveryCodes };
      case 'users.TwoFactorsEnded':
        return { isOn: false, recoveryCodes: 0 };
      case 'users.RecoveryCodeUsed':
        return { isOn: true, recoveryCodes: event.data.left };
    }
  },
);

/** @throws Rejected BAD_REQUEST where a code is needed already: the former app would be of no use any more */
export function beginTwoFactors({ isOn }: TwoFactors, userId: UserId): TwoFactorsBegan[] {
  if (isOn) throw reject.twoFactorsOn();
  return [fact(TwoFactorsBegan, { userId, recoveryCodes: RECOVERY_CODES })];
}

/** @throws Rejected BAD_REQUEST where no code is needed */
export function endTwoFactors({ isOn }: TwoFactors, userId: UserId): TwoFactorsEnded[] {
  if (!isOn) throw reject.twoFactorsOff();
  return [fact(TwoFactorsEnded, { userId })];
}

export const spendRecoveryCode = ({ recoveryCodes }: TwoFactors, userId: UserId): RecoveryCodeUsed[] => [
  fact(RecoveryCodeUsed, { userId, left: Math.max(0, recoveryCodes - 1) }),
];
