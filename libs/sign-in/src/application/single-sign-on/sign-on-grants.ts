import { createCipheriv, randomBytes } from 'node:crypto';
import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { PendingLogins, Sessions, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { SignOnTarget } from '../../domain/single-sign-on/flow';
import { padded } from '../../domain/single-sign-on/one-time-pad';
import type { LoginWay } from './sign-on-keys';
import { SignOnKeys, noteLogin } from './sign-on-keys';

/** What somebody who has logged in gets. */
export type Granted =
  | { readonly kind: 'session'; readonly cookie: string; readonly next: string | null }
  /** A link of the app, with a key that only the app can read. */
  | { readonly kind: 'app'; readonly url: string }
  /** A text for the clipboard that only the app can read. */
  | { readonly kind: 'desktop'; readonly text: string };

/** Gives sessions and keys to accounts whose person was proved. */
@Injectable()
export class SignOnGrants {
  constructor(
    private readonly keys: SignOnKeys,
    private readonly sessions: Sessions,
    private readonly facts: UserFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly pending: PendingLogins,
  ) {}

  /**
   * Prepares what the destination needs. It is valid when the append is stored.
   *
   * @param former cookie of the session that the browser has
   */
  async grant(
    work: Work,
    userId: UserId,
    { way, to, former }: { readonly way: LoginWay; readonly to: SignOnTarget; readonly former: string | undefined },
  ): Promise<() => Promise<Granted>> {
    if (to.mobileOtp !== null) {
      const hidden = padded(await this.keys.key(work, userId, way), to.mobileOtp);
      return async () => ({ kind: 'app', url: await this.appUrl(work.realmId, userId, hidden) });
    }
    if (to.desktopOtp !== null) {
      const { method, provider } = way;
      const token = this.pending.begin(work, 'desktop-login', { userId, method, provider });
      const text = hiddenToken(token, to.desktopOtp);
      return () => Promise.resolve({ kind: 'desktop', text });
    }
    const cookie = await this.session(work, userId, { way, former });
    return async () => ({ kind: 'session', cookie, next: to.next });
  }

  /** A new session of the account. @returns the value of its cookie */
  async session(
    work: Work,
    userId: UserId,
    { way, former }: { readonly way: LoginWay; readonly former: string | undefined },
  ): Promise<string> {
    await this.sessions.endFormer(work, former);
    const cookie = await this.sessions.begin(work, userId, { method: way.method });
    await noteLogin(work, userId, { way, as: 'session' });
    return cookie;
  }

  private async appUrl(realmId: RealmId, userId: UserId, hidden: string): Promise<string> {
    const [{ subdomain }, account] = [await this.realms.of(realmId), await this.facts.account(realmId, userId)];
    if (!account) throw new Error(`account ${userId} is not in the read model`);
    const query = new URLSearchParams({
      otp_encrypted_api_key: hidden,
      email: account.deliveryEmail,
      user_id: String(userId),
      realm: this.address.urlOf(subdomain),
    });
    return `zulip://login?${query.toString()}`;
  }
}

/** What the app decrypts with its key. */
function hiddenToken(token: string, otp: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(token), cipher.final(), cipher.getAuthTag()]).toString('hex');
}
