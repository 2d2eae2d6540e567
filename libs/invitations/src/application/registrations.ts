import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Origin, RealmId } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { InvitationId } from '../domain/events';
import { registrationAggregate, requestRegistration } from '../domain/registration';
import { reject } from '../domain/rejections';
import { readPending } from '../read/invitation-rows';
import { Joining } from './joining';
import { JoinTokens } from './tokens';

/** Mails to one address that can be waiting for an answer. A further request sends none. */
const MAX_PENDING = 3;

/**
 * Somebody without an account wants to join with an address. A mail goes to it. The answer is the same whether or not the
 * address has an account: the mail itself says so.
 */
export class RequestRegistration extends Command<void> {
  constructor(
    readonly realmId: RealmId,
    readonly email: string,
    /** Token of the link that they used. Null where everybody may join. */
    readonly link: string | null,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(RequestRegistration)
export class RequestRegistrationHandler implements ICommandHandler<RequestRegistration> {
  constructor(
    private readonly kernel: Kernel,
    private readonly joining: Joining,
    private readonly tokens: JoinTokens,
  ) {}

  /** @throws Rejected when the organization requires an invitation, the link is dead, or the address is not allowed */
  async execute({ realmId, email, link, origin }: RequestRegistration): Promise<void> {
    const { kernel, tokens } = this;
    const invitationId = link === null ? null : await this.linkOf(realmId, link);
    const id = await kernel.ids.next(realmId, 'registration');
    const token = tokens.random();
    await runAsVisitor(kernel.work, { realmId, origin }, async (work) => {
      await this.joining.ensureAllowed(work, email, invitationId);
      if ((await this.countPending(work, email)) >= MAX_PENDING) return;
      await work.decide(registrationAggregate, id, () => requestRegistration(id, email, invitationId, work.at));
      work.secret(tokens.put('registration', id, token));
    });
  }

  /** Only those count with which somebody could still join. Somebody with a new link must get a mail. */
  private async countPending(work: Work, email: string): Promise<number> {
    let count = 0;
    for (const used of await readPending(this.kernel.database.pool, work.realmId, email.toLowerCase(), work.at)) {
      if (await this.joining.isAllowed(work, email, used)) count += 1;
    }
    return count;
  }

  private async linkOf(realmId: RealmId, token: string): Promise<InvitationId> {
    const id = await this.tokens.find(realmId, 'invitation', token);
    if (id === undefined) throw reject.deadLink();
    return id;
  }
}
