import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeSettings } from '../application/change-settings';
import { ChangeSettingsParams, toMethods, toPatch } from './change-settings.params';

@Controller()
export class RealmController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/permissions.md section 5.1 */
  @Endpoint('PATCH', 'realm', {
    audience: 'administrators',
    section: 'permissions 5.1',
    summary: 'Change settings of the organization',
    command: 'ChangeSettings',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeSettingsParams) params: ChangeSettingsParams): Promise<void> {
    await this.commands.execute(new ChangeSettings(by, toPatch(params), toMethods(params)));
  }
}
