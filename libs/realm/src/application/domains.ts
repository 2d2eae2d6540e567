import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AllowedDomain } from '../domain/domains';
import { DOMAINS, addDomain, chooseSubdomains, domainsAggregate, removeDomain } from '../domain/domains';
import { liftDomainRestriction, realmAggregate } from '../domain/realm';

/** The domains that emails may be restricted to. The append depends on all of them. */
export const allowedDomains = (work: Work): Promise<readonly AllowedDomain[]> => work.read(domainsAggregate, DOMAINS);

/** Allows emails of a domain (contract/navigation-snippets-domains.md section 3). */
export class AddDomain extends Command<AllowedDomain> {
  constructor(
    readonly by: Actor,
    readonly domain: string,
    readonly allowSubdomains: boolean,
  ) {
    super();
  }
}

@CommandHandler(AddDomain)
export class AddDomainHandler implements ICommandHandler<AddDomain> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, domain: written, allowSubdomains }: AddDomain): Promise<AllowedDomain> {
    const id = await this.kernel.ids.next(by.realmId, 'domain');
    return this.work.run(by, async (work) => {
      const input = { id, domain: written, allowSubdomains };
      const added = await work.decide(domainsAggregate, DOMAINS, (state) => addDomain(state, input, work.actor));
      return { ...input, domain: added.map(({ sealed }) => sealed.domain).join() };
    });
  }
}

/** Sets whether emails of subdomains are also allowed (INTERFACE.md 4.19). */
export class ChooseSubdomains extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly domain: string,
    readonly allowSubdomains: boolean,
  ) {
    super();
  }
}

@CommandHandler(ChooseSubdomains)
export class ChooseSubdomainsHandler implements ICommandHandler<ChooseSubdomains> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, domain, allowSubdomains }: ChooseSubdomains): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(domainsAggregate, DOMAINS, (state) =>
        chooseSubdomains(state, domain, allowSubdomains, work.actor),
      );
    });
  }
}

/**
 * Removes a domain from the list. Removing the last one also ends the restriction
 * (contract/navigation-snippets-domains.md section 3).
 */
export class RemoveDomain extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly domain: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveDomain)
export class RemoveDomainHandler implements ICommandHandler<RemoveDomain> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, domain }: RemoveDomain): Promise<void> {
    await this.work.run(by, async (work) => {
      const { length } = await allowedDomains(work);
      // Clients receive the end of the restriction first. If the actor may not remove the domain, the refusal below
      // undoes both.
      if (length === 1) await work.decide(realmAggregate, 'realm', liftDomainRestriction);
      await work.decide(domainsAggregate, DOMAINS, (state) => removeDomain(state, domain, work.actor));
    });
  }
}
