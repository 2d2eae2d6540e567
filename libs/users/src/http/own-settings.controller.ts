import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, JsonParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeOwnSettings } from '../application/change-own-settings';
import { OWN_SETTINGS, OWN_SETTING_NAMES } from '../domain/settings';

/** One parameter for each setting that can be changed, declared by the table of settings. */
class ChangeOwnSettingsParams {
  readonly [name: string]: unknown;
}

for (const name of OWN_SETTING_NAMES) {
  JsonParam(OWN_SETTINGS[name].of, { optional: true })(ChangeOwnSettingsParams.prototype, name);
}

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
}
