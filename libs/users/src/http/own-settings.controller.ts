import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Info, LoginAttempts, MailRequests, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeDefaultSettings, ChangeOwnSettings } from '../application/change-own-settings';
import { ChangeSettingsOfUsers } from '../application/change-settings-of-users';
import { isWrongPassword } from '../domain/rejections';
import { UserFacts } from '../read/account/user-facts';
import { rateLimitKey } from './sign-in/rate-limit-key';
import {
  ChangeDefaultSettingsParams,
  ChangeOwnSettingsParams,
  accountPatch,
  chosenSettings,
  passwordChange,
  targetsOf,
} from './own-settings.params';

@Controller()
export class OwnSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
    private readonly mails: MailRequests,
    private readonly facts: UserFacts,
  ) {}

  /** contract/users.md section 7 */
  @Endpoint('PATCH', 'settings', {
    audience: 'anyone',
    section: 'users 7',
    summary: 'Change settings, password, name and address of your own',
    command: 'ChangeOwnSettings',
    returns: null,
  })
  async change(
    @By() by: Actor,
    @Params(ChangeOwnSettingsParams) params: ChangeOwnSettingsParams,
    @Info() info: RequestInfo,
  ): Promise<void> {
    const targets = targetsOf(params);
    if (targets) return this.commands.execute(new ChangeSettingsOfUsers(by, chosenSettings(params), targets));
    const own = { password: passwordChange(params), account: accountPatch(params) };
    const change = () => this.commands.execute(new ChangeOwnSettings(by, chosenSettings(params), own));
    await this.chargeMail(by, own.account?.email, info);
    if (!own.password) return change();
    // A thief of a key must not find the password with it, so a wrong one counts as a failed login.
    return this.attempts.attempt(by.realmId, rateLimitKey(by.userId), info, change, { isFailure: isWrongPassword });
  }

  /** Another email gets a mail, whoever has it. @throws Rejected RATE_LIMIT_HIT */
  private async chargeMail({ realmId, userId }: Actor, email: string | undefined, info: RequestInfo): Promise<void> {
    if (email === undefined || email === (await this.facts.account(realmId, userId))?.deliveryEmail) return;
    await this.mails.charge(realmId, email, info);
  }

  /** The older name for settings of notifications. */
  @Endpoint('PATCH', 'settings/notifications', {
    audience: 'anyone',
    section: 'whole-interface 1.1',
    summary: 'The same as PATCH /settings, under an older name',
    command: 'ChangeOwnSettings',
    returns: null,
  })
  changeNotifications(
    @By() by: Actor,
    @Params(ChangeOwnSettingsParams) params: ChangeOwnSettingsParams,
    @Info() info: RequestInfo,
  ): Promise<void> {
    return this.change(by, params, info);
  }

  /** The older name for settings of the display. */
  @Endpoint('PATCH', 'settings/display', {
    audience: 'anyone',
    section: 'whole-interface 1.1',
    summary: 'The same as PATCH /settings, under an older name',
    command: 'ChangeOwnSettings',
    returns: null,
  })
  changeDisplay(
    @By() by: Actor,
    @Params(ChangeOwnSettingsParams) params: ChangeOwnSettingsParams,
    @Info() info: RequestInfo,
  ): Promise<void> {
    return this.change(by, params, info);
  }

  /** contract/realtime.md section 6.5 */
  @Endpoint('PATCH', 'realm/user_settings_defaults', {
    audience: 'administrators',
    section: 'realtime 6.5',
    summary: 'Choose the settings that people who come begin with',
    command: 'ChangeDefaultSettings',
    returns: null,
  })
  async choose(
    @By() by: Actor,
    @Params(ChangeDefaultSettingsParams) params: ChangeDefaultSettingsParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeDefaultSettings(by, chosenSettings(params)));
  }
}
