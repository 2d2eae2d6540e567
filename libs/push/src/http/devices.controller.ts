import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddDevice, RemoveDevice } from '../application/devices';
import { RegisterPush } from '../application/register-push';
import { SendTestNotification } from '../application/test-notification';
import type { DeviceId } from '../domain/events';
import { DeviceParams, RegisterPushParams, TestParams, keyOf, tokenRegistrationOf } from './devices.params';
import { NeedsPushService } from './needs-service';

@Controller()
export class DevicesController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/push.md section 1 */
  @Endpoint('POST', 'register_client_device', {
    audience: 'humans',
    section: 'push 1',
    summary: 'Register a client as a device',
    command: 'AddDevice',
    returns: t.Object({ device_id: t.Integer() }),
  })
  async add(@By() by: Actor) {
    return { device_id: await this.commands.execute(new AddDevice(by)) };
  }

  /** contract/push.md section 1 */
  @Endpoint('POST', 'remove_client_device', {
    audience: 'humans',
    section: 'push 1',
    summary: 'Remove a device',
    command: 'RemoveDevice',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(DeviceParams) { device_id }: DeviceParams): Promise<void> {
    await this.commands.execute(new RemoveDevice(by, device_id as DeviceId));
  }

  /** INTERFACE.md 4.11 */
  @UseGuards(NeedsPushService)
  @Endpoint('POST', 'mobile_push/register', {
    audience: 'humans',
    section: '4.11',
    summary: 'Register a device for notifications that it alone can read',
    command: 'RegisterPush',
    returns: null,
  })
  async register(@By() by: Actor, @Params(RegisterPushParams) p: RegisterPushParams): Promise<void> {
    await this.commands.execute(new RegisterPush(by, p.device_id as DeviceId, keyOf(p), tokenRegistrationOf(p)));
  }

  /** INTERFACE.md 4.21 */
  @Endpoint('POST', 'mobile_push/e2ee/test_notification', {
    audience: 'humans',
    section: '4.21',
    summary: 'Send a test notification to own devices',
    command: 'SendTestNotification',
    returns: null,
  })
  async test(@By() by: Actor, @Params(TestParams) { device_id }: TestParams): Promise<void> {
    await this.commands.execute(new SendTestNotification(by, device_id ?? null));
  }
}
