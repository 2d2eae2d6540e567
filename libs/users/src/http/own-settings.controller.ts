import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeDefaultSettings, ChangeOwnSettings } from '../application/change-own-settings';
import { ChangeDefaultSettingsParams, ChangeOwnSettingsParams } from './own-settings.params';

@Controller()
export class OwnSettingsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/users.md section 7 */
  @Endpoint('PATCH', 'settings', {
    audience: 'anyone',
    section: 'users 7',
    summary: 'Change settings of your own',
    command: 'ChangeOwnSettings',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeOwnSettingsParams) wish: ChangeOwnSettingsParams): Promise<void> {
    await this.commands.execute(new ChangeOwnSettings(by, wish));
  }

  /** contract/realtime.md section 6.5 */
  @Endpoint('PATCH', 'realm/user_settings_defaults', {
    audience: 'administrators',
    section: 'realtime 6.5',
    summary: 'Choose the settings that people who come begin with',
    command: 'ChangeDefaultSettings',
    returns: null,
  })
  async choose(@By() by: Actor, @Params(ChangeDefaultSettingsParams) wish: ChangeDefaultSettingsParams): Promise<void> {
    await this.commands.execute(new ChangeDefaultSettings(by, wish));
  }
}
