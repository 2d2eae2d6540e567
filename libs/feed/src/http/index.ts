export { FeedHttpModule } from './feed-http.module';
