import { RealmByHost, RealmFronts, RealmQuotas } from '@annals/kernel';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AddEmojiHandler } from './application/add-emoji';
import { ChangeSettingsHandler } from './application/change-settings';
import { DeactivateEmojiHandler } from './application/deactivate-emoji';
import { AddDomainHandler, ChooseSubdomainsHandler, RemoveDomainHandler } from './application/domains';
import {
  AddLinkifierHandler,
  ChangeLinkifierHandler,
  RemoveLinkifierHandler,
  ReorderLinkifiersHandler,
} from './application/linkifiers';
import { DeactivateOrganizationHandler } from './application/organization/deactivate-organization';
import { GetSubdomainProblemHandler } from './read/organization/subdomain-availability';
import { AddPlaygroundHandler, RemovePlaygroundHandler } from './application/playgrounds';
import { ImageProcessor } from './application/image-processing';
import { ChangePictureHandler } from './application/change-picture';
import { EmojiStore } from './application/emoji-store';
import { LinkifierFacts } from './read/linkifiers/linkifier-facts';
import { ListLinkifiersHandler } from './read/linkifiers/list-linkifiers';
import { PictureStore } from './application/picture-store';
import { ListDomainsHandler } from './read/list-domains';
import { ListEmojiHandler } from './read/list-emoji';
import { AuthenticationMethods } from './read/authentication/authentication-methods';
import { CustomEmojiFacts } from './read/custom-emoji-facts';
import { PictureFacts } from './read/pictures/picture-facts';
import { OrganizationFacts } from './read/organization/organization-facts';
import { OrganizationQuotas } from './read/organization/organization-quotas';
import { AddressedRealms } from './read/organization/realm-by-host';
import { FrontsOfRealms, RealmFacts } from './read/realm-facts';
import { ServerAddress } from './server-address';
import { ServerFeatures } from './server-features';

const PICTURES_AND_EMOJI = [
  ImageProcessor,
  PictureFacts,
  PictureStore,
  ChangePictureHandler,
  EmojiStore,
  AddEmojiHandler,
  DeactivateEmojiHandler,
  ListEmojiHandler,
];

/** Where organizations are, what they may use, and whether they can be used. */
const ORGANIZATIONS = [
  { provide: RealmByHost, useClass: AddressedRealms },
  { provide: RealmQuotas, useClass: OrganizationQuotas },
  OrganizationFacts,
  DeactivateOrganizationHandler,
  GetSubdomainProblemHandler,
];

const HANDLERS = [
  ChangeSettingsHandler,
  AddDomainHandler,
  ChooseSubdomainsHandler,
  RemoveDomainHandler,
  ListDomainsHandler,
  AddLinkifierHandler,
  ChangeLinkifierHandler,
  RemoveLinkifierHandler,
  ReorderLinkifiersHandler,
  ListLinkifiersHandler,
  AddPlaygroundHandler,
  RemovePlaygroundHandler,
];

/** Organizations and their settings, for every module. Needs providers of `SettingReferences` and `SettingNotices`. */
@Module({})
export class RealmModule {
  /** @param address the base URL that clients use */
  static at(address: ServerAddress, features: ServerFeatures): DynamicModule {
    return {
      module: RealmModule,
      global: true,
      providers: [
        { provide: ServerAddress, useValue: address },
        { provide: ServerFeatures, useValue: features },
        ...ORGANIZATIONS,
        { provide: RealmFronts, useClass: FrontsOfRealms },
        RealmFacts,
        AuthenticationMethods,
        CustomEmojiFacts,
        LinkifierFacts,
        ...PICTURES_AND_EMOJI,
        ...HANDLERS,
      ],
      exports: [
        ServerAddress,
        ServerFeatures,
        RealmByHost,
        RealmFronts,
        RealmQuotas,
        OrganizationFacts,
        RealmFacts,
        AuthenticationMethods,
        CustomEmojiFacts,
        LinkifierFacts,
        PictureFacts,
        ImageProcessor,
      ],
    };
  }
}
