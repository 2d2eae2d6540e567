import type { DefaultGroupRow } from '@annals/channels';
import { ChannelChoices, Joining, OpenLinks } from '@annals/invitations';
import type { Newcomer } from '@annals/invitations';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import type { ProvenLogin } from './proven-login';
import { SignOnAccounts } from './sign-on-accounts';
import type { Granted } from './sign-on-grants';
import { SignOnGrants } from './sign-on-grants';

/** What somebody has entered who wants an account. */
export interface JoiningForm {
  readonly fullName: string;
  /** Groups of default channels that they chose. */
  readonly channelGroups: readonly number[];
}

/** Accounts of people who come by single sign-on. The organization decides who may join, as for everybody else. */
@Injectable()
export class SignOnJoining {
  constructor(
    private readonly kernel: Kernel,
    private readonly joining: Joining,
    private readonly links: OpenLinks,
    private readonly choices: ChannelChoices,
    private readonly accounts: SignOnAccounts,
    private readonly grants: SignOnGrants,
  ) {}

  /** @throws Rejected when the person may not join */
  async ensureAllowed(login: ProvenLogin): Promise<void> {
    const { realmId, origin } = login;
    const email = addressIn(login);
    await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const { invitationId } = await this.links.rightOf(work, email, login.to.invitation);
      await this.joining.ensureAllowed(work, email, invitationId);
    });
  }

  /** The groups of default channels that somebody may choose from. None for somebody who may not join. */
  async choicesOf(login: Pick<ProvenLogin, 'realmId' | 'person' | 'to'>): Promise<readonly DefaultGroupRow[]> {
    const right = await this.links.usableRight(login.realmId, addressIn(login), login.to.invitation);
    return right === null ? [] : this.choices.offered(login.realmId, right.invitationId);
  }

  /**
   * Opens the account, links it to the identity and logs the person in.
   *
   * @throws Rejected when the person may not join, or the name is none
   */
  async join(login: ProvenLogin, form: JoiningForm): Promise<Granted> {
    const { realmId, origin, person, to, former } = login;
    const email = addressIn(login);
    const fresh = await this.kernel.ids.next(realmId, 'user');
    const granted = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      // Somebody may have opened the account meanwhile, for example the same person in another window.
      const known = await this.accounts.accountFor(work, person);
      const userId = known ?? (await this.open(work, { login, email, ...form, userId: fresh }));
      return this.grants.grant(work, userId, { way: person, to, former });
    });
    return granted();
  }

  private async open(
    work: Work,
    { login, ...opened }: Pick<Newcomer, 'userId' | 'email'> & JoiningForm & { readonly login: ProvenLogin },
  ): Promise<UserId> {
    const { userId, email } = opened;
    const right = await this.links.rightOf(work, email, login.to.invitation);
    await this.joining.join(work, { ...opened, password: null, isPresent: true }, right.invitationId);
    await this.links.complete(work, right, userId);
    const { identity } = login.person;
    if (identity) await this.accounts.link(work, userId, identity);
    return userId;
  }
}

function addressIn({ person: { verifiedEmail } }: Pick<ProvenLogin, 'person'>): string {
  if (verifiedEmail === null) throw reject.addressUnverified();
  return verifiedEmail;
}
