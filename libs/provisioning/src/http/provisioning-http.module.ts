import { Module } from '@nestjs/common';
import { ProvisioningModule } from '../provisioning.module';
import { DiscoveryController } from './scim/discovery.controller';
import { ScimAnswers } from './scim/scim-answers';
import { ScimGroupsController } from './scim/scim-groups.controller';
import { ScimUsersController } from './scim/scim-users.controller';
import { SearchController } from './scim/search.controller';
import { TokensController } from './tokens/tokens.controller';

/** SCIM, and the tokens of directories. */
@Module({
  imports: [ProvisioningModule],
  providers: [ScimAnswers],
  controllers: [TokensController, DiscoveryController, ScimUsersController, ScimGroupsController, SearchController],
})
export class ProvisioningHttpModule {}
