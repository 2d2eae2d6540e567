import type { Actor, Role, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { EmailOwner } from '../../domain/email/email-visibility';
import { seesEmail } from '../../domain/email/email-visibility';
import { placeholderEmail } from '../../domain/account/names';

/** The viewer of accounts. What is visible depends on it (contract/permissions.md section 7). */
export interface Viewer {
  readonly userId: UserId;
  /** The role at the position in question. */
  readonly role: Role;
  /** Domain of the placeholders for hidden emails. */
  readonly mailDomain: string;
}

/** A user in an organization. @param at with its base URL */
export const viewerOf = (
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  { url }: { readonly url: string },
): Viewer => ({ userId, role, mailDomain: mailDomain(url) });

/** Creates the viewers for actors. */
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

/** An account with its real email. */
export type WithEmail = EmailOwner & { readonly deliveryEmail: string };

/** The real email of an account. Null if the viewer may not see it. */
export const realEmail = (user: WithEmail, viewer: Viewer): string | null =>
  seesEmail(viewer, user) ? user.deliveryEmail : null;

/** The email of an account for the viewer: the real one, or the placeholder. */
export const emailFor = (user: WithEmail, viewer: Viewer): string =>
  realEmail(user, viewer) ?? placeholderEmail(user.userId, viewer.mailDomain);
