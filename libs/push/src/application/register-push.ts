import { timingSafeEqual } from 'node:crypto';
import { Kernel, UnitOfWork, readSecret } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PushToken } from '../domain/devices';
import { devicesAggregate, registerPush } from '../domain/devices';
import type { DeviceId } from '../domain/events';
import { pushKeySecret, registrationSecret } from '../read/devices';

/** A key that encrypts notifications. Never logged. */
export interface PushKey {
  readonly id: number;
  /** 33 bytes. */
  readonly key: Buffer;
}

/** The request to the push service. Never logged. */
export interface TokenRegistration extends PushToken {
  readonly bouncerPublicKey: string;
  readonly encryptedRegistration: string;
}

/** INTERFACE.md 4.11 */
export class RegisterPush extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly deviceId: DeviceId,
    readonly key: PushKey | null,
    readonly token: TokenRegistration | null,
  ) {
    super();
  }
}

/** Stores the request for registration. The push service is asked in the background. */
@CommandHandler(RegisterPush)
export class RegisterPushHandler implements ICommandHandler<RegisterPush> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, deviceId, key, token }: RegisterPush): Promise<void> {
    const { userId } = by;
    await this.work.run(by, async (work) => {
      const input = { key: key && { id: key.id, isSame: await this.isSame(work, deviceId, key) }, token };
      const facts = await work.decide(devicesAggregate, userId, (state) =>
        registerPush(state, userId, deviceId, input),
      );
      for (const { type } of facts) {
        if (type === 'push.PushKeyChanged' && key) {
          work.secret({ put: pushKeySecret(deviceId), kind: 'push-key', value: key.key });
        }
        if (type === 'push.RegistrationAsked' && token) {
          work.secret({ put: registrationSecret(deviceId), kind: 'push-registration', value: packed(token) });
        }
      }
    });
  }

  /** The append depends on the version of the account's devices, which changes with each key. */
  private async isSame({ realmId }: Work, deviceId: DeviceId, { key }: PushKey): Promise<boolean> {
    const present = await readSecret(this.kernel.database.pool, realmId, pushKeySecret(deviceId));
    return present?.length === key.length && timingSafeEqual(present, key);
  }
}

type Packed = Pick<TokenRegistration, 'bouncerPublicKey' | 'encryptedRegistration'>;

const packed = ({ bouncerPublicKey, encryptedRegistration }: Packed): Buffer =>
  Buffer.from(JSON.stringify({ bouncerPublicKey, encryptedRegistration }));

/** The stored request of `RegisterPush` for the push service. */
export const unpacked = (secret: Buffer): Packed => JSON.parse(secret.toString()) as Packed;
