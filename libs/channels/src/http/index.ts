export { ChannelsHttpModule } from './channels-http.module';
export { parseSubscriberInclusion } from './read-channels.params';
export { channelShape, neverSubscribedShape, subscriptionShape } from './shapes';
