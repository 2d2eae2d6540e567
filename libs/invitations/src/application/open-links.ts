import { Kernel, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { isSameEmail } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { InvitationId, RegistrationId } from '../domain/events';
import type { Invitation } from '../domain/invitation';
import { invitationAggregate } from '../domain/invitation';
import { complete, pending, registrationAggregate } from '../domain/registration';
import { reject } from '../domain/rejections';
import { Joining } from './joining';
import { JoinTokens } from './tokens';

/** What a link lets somebody do. */
export type OpenLink =
  /** Join with this address. */
  | {
      readonly kind: 'person';
      readonly email: string;
      /** As the inviter wrote it. */
      readonly fullName: string | null;
      readonly invitationId: InvitationId | null;
      /** Null for an invitation by mail. */
      readonly registrationId: RegistrationId | null;
    }
  /** Ask for a mail to any address. */
  | { readonly kind: 'link'; readonly invitationId: InvitationId };

/** With what somebody may join whose address another system has proved. */
export type JoinRight = Pick<OpenLink & { kind: 'person' }, 'invitationId' | 'registrationId'>;

/** What the links are for with which people join. */
@Injectable()
export class OpenLinks {
  constructor(
    private readonly kernel: Kernel,
    private readonly tokens: JoinTokens,
    private readonly joining: Joining,
  ) {}

  /** Reads only. @throws Rejected 404 for a token that is of no use */
  find(realmId: RealmId, token: string): Promise<OpenLink> {
    return this.kernel.work.run(systemActor(realmId), (work) => this.findIn(work, token), { isDryRun: true });
  }

  /** An invitation that can be used, apart from the address. Null for any other. */
  usableInvitation(realmId: RealmId, id: InvitationId): Promise<Invitation | null> {
    return this.read(realmId, async (work) => {
      const invitation = await work.read(invitationAggregate, id);
      await this.joining.ensureUsable(work, id, invitation?.email ?? '');
      return invitation;
    });
  }

  /** The address of somebody who asked to join and may still do so. Null for any other. */
  pendingAddress(realmId: RealmId, id: RegistrationId): Promise<string | null> {
    return this.read(realmId, async (work) => {
      const { email, invitationId } = pending(await work.read(registrationAggregate, id), work.at);
      if (invitationId !== null) await this.joining.ensureUsable(work, invitationId, email);
      return email;
    });
  }

  /** Null for what is refused. */
  private async read<T>(realmId: RealmId, find: (work: Work) => Promise<T>): Promise<T | null> {
    try {
      return await this.kernel.work.run(systemActor(realmId), find, { isDryRun: true });
    } catch (error) {
      if (error instanceof Rejected) return null;
      throw error;
    }
  }

  /** The append depends on what was found. @throws Rejected 404 for a token that is of no use */
  async findIn(work: Work, token: string): Promise<OpenLink> {
    const registrationId = await this.tokens.find(work.realmId, 'registration', token);
    if (registrationId !== undefined) return this.registration(work, registrationId);
    const id = await this.tokens.find(work.realmId, 'invitation', token);
    if (id === undefined) throw reject.deadLink();
    const invitation = await work.read(invitationAggregate, id);
    const email = invitation?.email ?? '';
    await this.joining.ensureUsable(work, id, email);
    if (invitation?.isLink) return { kind: 'link', invitationId: id };
    return { kind: 'person', email, fullName: invitation?.fullName ?? null, invitationId: id, registrationId: null };
  }

  /**
   * With what somebody may join whose address another system has proved: the link that they followed, else the newest invitation for
   * the address. A link that was mailed to one address is of use to its owner only, and who entered an address in a form proved
   * nothing. The append depends on what was found.
   *
   * @param token of the link. Null for none
   * @throws Rejected for a token that is of no use, or of another address
   */
  async rightOf(work: Work, email: string, token: string | null): Promise<JoinRight> {
    if (token === null) return { invitationId: await this.joining.invitationFor(work, email), registrationId: null };
    const link = await this.findIn(work, token);
    if (link.kind === 'link') return { invitationId: link.invitationId, registrationId: null };
    if (!isSameEmail(link.email, email)) throw reject.ofOtherAddress();
    return link;
  }

  /** As `rightOf`. Null for what it refuses. */
  usableRight(realmId: RealmId, email: string, token: string | null): Promise<JoinRight | null> {
    return this.read(realmId, (work) => this.rightOf(work, email, token));
  }

  /** Somebody has joined with the link of a mail that they asked for, which ends. */
  async complete(work: Work, { registrationId }: JoinRight, userId: UserId): Promise<void> {
    if (registrationId === null) return;
    await work.decide(registrationAggregate, registrationId, (state) => complete(state, userId, work.at));
    work.secret(this.tokens.drop('registration', registrationId));
  }

  private async registration(work: Work, registrationId: RegistrationId): Promise<OpenLink> {
    const { email, invitationId } = pending(await work.read(registrationAggregate, registrationId), work.at);
    if (invitationId !== null) await this.joining.ensureUsable(work, invitationId, email);
    return { kind: 'person', email, fullName: null, invitationId, registrationId };
  }
}
