import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params, PathText } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeactivateOrganization } from '../application/organization/deactivate-organization';
import { GetSubdomainProblem } from '../read/organization/subdomain-availability';

class DeactivateParams {
  @IntegerParam({
    optional: true,
    about: 'Days after which the organization is deleted. Left out: it is not.',
  })
  deletion_delay_days?: number;
}

class SubdomainParams {
  @PathText() subdomain: string;
}

@Controller()
export class OrganizationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('POST', 'realm/deactivate', {
    audience: 'owners',
    section: 'whole-interface 1.1',
    summary: 'Deactivate the organization, perhaps to be deleted later',
    command: 'DeactivateOrganization',
    evenIfFull: true,
    returns: null,
  })
  async deactivate(
    @By() by: Actor,
    @Params(DeactivateParams) { deletion_delay_days }: DeactivateParams,
  ): Promise<void> {
    await this.commands.execute(new DeactivateOrganization(by, deletion_delay_days ?? null));
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('GET', 'realm/subdomain/:subdomain', {
    audience: 'public',
    ofDeactivated: true,
    section: 'whole-interface 1.1',
    summary: 'Whether a new organization could have a subdomain',
    returns: t.Object({ msg: t.String({ description: '`available`, or the reason why it is not.' }) }),
  })
  async subdomain(@Params(SubdomainParams) { subdomain }: SubdomainParams) {
    return { msg: (await this.queries.execute(new GetSubdomainProblem(subdomain))) ?? 'available' };
  }
}
