import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddLegacyToken, RemoveLegacyToken } from '../application/legacy-tokens';
import { SendLegacyTestNotification } from '../application/test-notification';
import { ApnsTokenParams, FcmTokenParams, KnownApnsTokenParams, LegacyTestParams } from './devices.params';

/** The endpoints of older apps (contract/push.md section 5). */
@Controller()
export class LegacyTokensController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/push.md section 5 */
  @Endpoint('POST', 'users/me/apns_device_token', {
    audience: 'humans',
    section: 'push 5',
    summary: 'Add a token of an older iOS app',
    command: 'AddLegacyToken',
    returns: null,
  })
  async addApple(@By() by: Actor, @Params(ApnsTokenParams) { token, appid }: ApnsTokenParams): Promise<void> {
    await this.commands.execute(new AddLegacyToken(by, { kind: 'apns', token, appId: appid }));
  }

  /** contract/push.md section 5 */
  @Endpoint('DELETE', 'users/me/apns_device_token', {
    audience: 'humans',
    section: 'push 5',
    summary: 'Remove a token of an older iOS app',
    command: 'RemoveLegacyToken',
    returns: null,
  })
  async removeApple(@By() by: Actor, @Params(KnownApnsTokenParams) { token }: KnownApnsTokenParams): Promise<void> {
    await this.commands.execute(new RemoveLegacyToken(by, { kind: 'apns', token }));
  }

  /** contract/push.md section 5 */
  @Endpoint('POST', 'users/me/android_gcm_reg_id', {
    audience: 'humans',
    section: 'push 5',
    summary: 'Add a token of an older Android app',
    command: 'AddLegacyToken',
    returns: null,
  })
  async addAndroid(@By() by: Actor, @Params(FcmTokenParams) { token }: FcmTokenParams): Promise<void> {
    await this.commands.execute(new AddLegacyToken(by, { kind: 'fcm', token, appId: null }));
  }

  /** contract/push.md section 5 */
  @Endpoint('DELETE', 'users/me/android_gcm_reg_id', {
    audience: 'humans',
    section: 'push 5',
    summary: 'Remove a token of an older Android app',
    command: 'RemoveLegacyToken',
    returns: null,
  })
  async removeAndroid(@By() by: Actor, @Params(FcmTokenParams) { token }: FcmTokenParams): Promise<void> {
    await this.commands.execute(new RemoveLegacyToken(by, { kind: 'fcm', token }));
  }

  /** contract/push.md section 5 */
  @Endpoint('POST', 'mobile_push/test_notification', {
    audience: 'humans',
    section: 'push 5',
    summary: 'Send a test notification to older apps of your own',
    command: 'SendLegacyTestNotification',
    returns: null,
  })
  async test(@By() by: Actor, @Params(LegacyTestParams) { token }: LegacyTestParams): Promise<void> {
    await this.commands.execute(new SendLegacyTestNotification(by, token ?? null));
  }
}
