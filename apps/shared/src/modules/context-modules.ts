import { ChannelsModule } from '@annals/channels';
import { FilesModule } from '@annals/files';
import { GroupsModule } from '@annals/groups';
import { InvitationOptions, InvitationsModule } from '@annals/invitations';
import type { Kernel } from '@annals/kernel';
import { FileStoreModule, KernelModule } from '@annals/kernel';
import { IncomingMailModule } from '@annals/incoming-mail';
import { MailModule } from '@annals/mail';
import { MessagesModule } from '@annals/messages';
import { PersonalModule } from '@annals/personal';
import { PushModule } from '@annals/push';
import type { ServerAddress } from '@annals/realm';
import { RealmModule } from '@annals/realm';
import { LdapModule } from '@annals/sign-in';
import { UsersModule } from '@annals/users';
import type { ModuleMetadata } from '@nestjs/common';
import { featuresOf } from './features';
import { fileStoreOf } from './file-store';
import type { MailOptionSettings } from '../mail/mail-options';
import { mailOptionsOf } from '../mail/mail-options';
import type { PushServiceSettings } from './push-service';
import { pushServiceOf } from './push-service';
import type { Settings } from '../settings';
import type { SignOnSettings } from '../sign-on/read-sign-on';
import { readSignOn } from '../sign-on/read-sign-on';

export interface ContextParts {
  readonly kernel: Kernel;
  readonly settings: Pick<
    Settings,
    | 'ANNALS_DATA_DIR'
    | 'ANNALS_INVITATIONS_PER_DAY'
    | 'ANNALS_MAX_UPLOAD_MIB'
    | 'ANNALS_UPLOAD_QUOTA_MIB'
    | 'ANNALS_WEB_PUBLIC_CHANNELS'
  > &
    PushServiceSettings &
    SignOnSettings &
    MailOptionSettings;
  readonly address: ServerAddress;
}

/** The modules of contexts that every process needs: an api, a worker, and a command that acts as they do. */
export function contextModules({ kernel, settings, address }: ContextParts): NonNullable<ModuleMetadata['imports']> {
  const signOn = readSignOn(settings);
  return [
    KernelModule.of(kernel),
    FileStoreModule.of(fileStoreOf(settings)),
    MailModule.with(mailOptionsOf(settings, address.url)),
    RealmModule.at(address, featuresOf(settings, signOn)),
    LdapModule.with(signOn.ldap),
    UsersModule,
    GroupsModule,
    ChannelsModule,
    FilesModule,
    MessagesModule,
    PersonalModule,
    InvitationsModule.with(new InvitationOptions(settings.ANNALS_INVITATIONS_PER_DAY)),
    IncomingMailModule.everywhere(),
    PushModule.through(pushServiceOf(settings)),
  ];
}
