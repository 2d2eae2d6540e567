import type { Work } from '@annals/kernel';
import type { SystemGroups } from '@annals/realm';
import { ServerFeatures, organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { FOLDERS, folderState, foldersAggregate } from '../../domain/folder/folder';
import type { ChannelRules, FolderState } from '../../domain/policies';
import { folderEmpty } from '../guards';

/** The rules of the server, the organization and its folders for channels. The append depends on what is read. */
@Injectable()
export class ChannelRulesFacts {
  constructor(private readonly features: ServerFeatures) {}

  async of(work: Work): Promise<ChannelRules & { readonly systemGroups: SystemGroups }> {
    const { settings, systemGroups } = await organization(work);
    return {
      canCreatePublic: settings.can_create_public_channel_group,
      canCreatePrivate: settings.can_create_private_channel_group,
      canCreateWebPublic: settings.can_create_web_public_channel_group,
      webPublicEnabled: this.features.webPublicChannels && settings.enable_spectator_access,
      canSetTopicsPolicy: settings.can_set_topics_policy_group,
      canSetDeleteMessagePolicy: settings.can_set_delete_message_policy_group,
      systemGroups,
    };
  }

  /** The requested folder of the channel. @param id null for none */
  async folder(work: Work, id: number | null): Promise<FolderState> {
    if (id === null) return 'none';
    work.changesGuard(folderEmpty, id);
    return folderState(await work.read(foldersAggregate, FOLDERS), id);
  }
}
