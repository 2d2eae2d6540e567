export { ChannelsHttpModule } from './channels-http.module';
export { channelShape, neverSubscribedShape, subscriptionShape } from './shapes';
