import type { Actor, Role, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { EmailOwner } from '../../domain/email/email-visibility';
import { seesEmail } from '../../domain/email/email-visibility';
import { placeholderEmail } from '../../domain/account/names';

/** Who looks at accounts: what they see of them depends on it (contract/permissions.md section 7). */
export interface Viewer {
  readonly userId: UserId;
  /** At the time that is looked at. */
  readonly role: Role;
  /** Domain of the placeholders that stand for addresses they may not see. */
  readonly mailDomain: string;
}

/** A user in an organization. @param at with its canonical address */
export const viewerOf = (
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  { url }: { readonly url: string },
): Viewer => ({ userId, role, mailDomain: mailDomain(url) });

/** Makes viewers of those who ask. */
@Injectable()
export class Viewers {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  async of(by: Actor): Promise<Viewer> {
    const { subdomain } = await this.realms.of(by.realmId);
    return viewerOf(by, { url: this.address.urlOf(subdomain) });
  }
}

/** An account with its real address. */
export type WithEmail = EmailOwner & { readonly deliveryEmail: string };

/** The real address of an account; null when the viewer may not see it. */
export const realEmail = (user: WithEmail, viewer: Viewer): string | null =>
  seesEmail(viewer, user) ? user.deliveryEmail : null;

/** The address that the viewer knows an account by: the real one, or the placeholder. */
export const emailFor = (user: WithEmail, viewer: Viewer): string =>
  realEmail(user, viewer) ?? placeholderEmail(user.userId, viewer.mailDomain);
