import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { addDevice, devicesAggregate, removeDevice } from '../domain/devices';
import type { DeviceId } from '../domain/events';
import { pushKeySecret, registrationSecret } from '../read/devices';

/** contract/push.md section 1 */
export class AddDevice extends Command<DeviceId> {
  constructor(readonly by: Actor) {
    super();
  }
}

@CommandHandler(AddDevice)
export class AddDeviceHandler implements ICommandHandler<AddDevice> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by }: AddDevice): Promise<DeviceId> {
    const { realmId, userId } = by;
    const id = (await this.kernel.ids.next(realmId, 'device')) as DeviceId;
    await this.work.run(by, (work) => work.decide(devicesAggregate, userId, (state) => addDevice(state, userId, id)));
    return id;
  }
}

/** contract/push.md section 1 */
export class RemoveDevice extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly deviceId: DeviceId,
  ) {
    super();
  }
}

@CommandHandler(RemoveDevice)
export class RemoveDeviceHandler implements ICommandHandler<RemoveDevice> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, deviceId }: RemoveDevice): Promise<void> {
    const { userId } = by;
    await this.work.run(by, async (work) => {
      await work.decide(devicesAggregate, userId, (state) => removeDevice(state, userId, deviceId));
      work.secret({ drop: pushKeySecret(deviceId) });
      work.secret({ drop: registrationSecret(deviceId) });
    });
  }
}
