import { Kernel, networkOf } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { MailDraft } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { Injectable } from '@nestjs/common';
import { AddressedMails } from '../application/addressed-mails';
import { loginContent } from '../application/login-letter';
import { MailReaders } from '../application/mail-readers';
import { isFromNewDevice } from '../domain/known-devices';
import type { Login } from '../read/logins';
import { readLogins } from '../read/logins';
import { LOGIN } from './login-mails';

/** Writes mails about logins from devices that an account was not used from before. */
@Injectable()
export class LoginComposer extends MailComposer {
  readonly kind = LOGIN;

  constructor(
    private readonly kernel: Kernel,
    private readonly readers: MailReaders,
    private readonly mails: AddressedMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const [userId, position] = key.split('-').map(Number);
    if (userId === undefined || position === undefined) return null;
    await this.kernel.fence.reach(realmId);
    const to = await this.readers.of(realmId, userId as UserId);
    if (!to?.settings.enable_login_emails) return null;
    const logins = await readLogins(this.kernel.database.pool, realmId, to.user.userId, position as Position);
    const login = logins.at(-1);
    if (login?.position !== position) return null;
    const isNew = isFromNewDevice(traceOf(login), logins.slice(0, -1).map(traceOf));
    return isNew ? this.mails.to(to, LOGIN, loginContent(to, login, networkAt(login))) : null;
  }
}

const networkAt = ({ address }: Login): string | null => (address === null ? null : networkOf(address));
const traceOf = (login: Login) => ({ client: login.client, network: networkAt(login) });
