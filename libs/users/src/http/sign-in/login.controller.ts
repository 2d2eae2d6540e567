import type { Actor, RealmId } from '@annals/kernel/domain';
import { t, userId } from '@annals/kernel/domain';
import { AtRealm, By, Endpoint, Info, LoginAttempts, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LogIn } from '../../application/sign-in/log-in';
import { PasswordChecks } from '../../application/sign-in/password-checks';
import { RegenerateKey } from '../../application/sign-in/regenerate-key';
import { isGuess } from '../../domain/rejections';
import { rateLimitKey } from './rate-limit-key';
import { FetchApiKeyParams } from '../users.params';

@Controller()
export class LoginController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
    private readonly checks: PasswordChecks,
  ) {}

  /** contract/boot.md section 2.2 */
  @Endpoint('POST', 'fetch_api_key', {
    audience: 'public',
    section: 'boot 2.2',
    summary: 'Exchange an address and a password for a key',
    addressQuota: 'visits',
    command: 'LogIn',
    evenIfFull: true,
    returns: t.Object({ api_key: t.String(), email: t.String(), user_id: userId }),
  })
  async logIn(
    @AtRealm() realmId: RealmId,
    @Info() info: RequestInfo,
    @Params(FetchApiKeyParams) { username, password }: FetchApiKeyParams,
  ) {
    const login = new LogIn(realmId, username, password, info.origin);
    const counted = rateLimitKey(await this.checks.meant(realmId, username));
    const run = () => this.commands.execute(login);
    const { userId, apiKey, email } = await this.attempts.attempt(realmId, counted, info, run, { isFailure: isGuess });
    return { api_key: apiKey, email, user_id: userId };
  }

  /** contract/boot.md section 2.2 */
  @Endpoint('POST', 'users/me/api_key/regenerate', {
    audience: 'anyone',
    section: 'boot 2.2',
    summary: 'Get another key in the place of all you have',
    command: 'RegenerateKey',
    evenIfFull: true,
    returns: t.Object({ api_key: t.String() }),
  })
  async regenerate(@By() by: Actor) {
    return { api_key: await this.commands.execute(new RegenerateKey(by)) };
  }
}
