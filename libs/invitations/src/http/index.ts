export { InvitationsHttpModule } from './invitations-http.module';
export type { OfferedGroup } from './pages/channel-choices';
export { CHANNEL_GROUPS, channelQuestion } from './pages/channel-choices';
