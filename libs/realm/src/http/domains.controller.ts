import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params, PathText, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddDomain, ChooseSubdomains, RemoveDomain } from '../application/domains';
import { presentDomain } from '../read/domains';
import { ListDomains } from '../read/list-domains';

export class NewDomainParams {
  @TextParam() domain: string;
  @BooleanParam() allow_subdomains: boolean;
}

export class DomainParams {
  @PathText() domain: string;
}

export class ChangedDomainParams extends DomainParams {
  @BooleanParam() allow_subdomains: boolean;
}

const domainShape = t.Object({ domain: t.String(), allow_subdomains: t.Boolean() }, { $id: 'AllowedDomain' });

@Controller()
export class DomainsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/navigation-snippets-domains.md section 3 */
  @Endpoint('GET', 'realm/domains', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 3',
    summary: 'Domains that addresses may be restricted to',
    returns: t.Object({ domains: t.Array(domainShape) }),
  })
  async list(@By() by: Actor) {
    return { domains: (await this.queries.execute(new ListDomains(by))).map(presentDomain) };
  }

  /** contract/navigation-snippets-domains.md section 3 */
  @Endpoint('POST', 'realm/domains', {
    audience: 'owners',
    section: 'navigation-snippets-domains 3',
    summary: 'Allow addresses of a domain',
    command: 'AddDomain',
    returns: t.Object({ new_domain: t.Tuple([t.Integer(), t.String()]) }),
  })
  async add(@By() by: Actor, @Params(NewDomainParams) p: NewDomainParams) {
    const { id, domain } = await this.commands.execute(new AddDomain(by, p.domain, p.allow_subdomains));
    return { new_domain: [id, domain] };
  }

  /** INTERFACE.md 4.19 */
  @Endpoint('PATCH', 'realm/domains/:domain', {
    audience: 'owners',
    section: '4.19',
    summary: 'Update an allowed domain',
    command: 'ChooseSubdomains',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangedDomainParams) p: ChangedDomainParams): Promise<void> {
    await this.commands.execute(new ChooseSubdomains(by, p.domain, p.allow_subdomains));
  }

  /** contract/navigation-snippets-domains.md section 3 */
  @Endpoint('DELETE', 'realm/domains/:domain', {
    audience: 'owners',
    section: 'navigation-snippets-domains 3',
    summary: 'No longer allow addresses of a domain',
    command: 'RemoveDomain',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(DomainParams) { domain }: DomainParams): Promise<void> {
    await this.commands.execute(new RemoveDomain(by, domain));
  }
}
