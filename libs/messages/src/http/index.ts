export { MessagesHttpModule } from './messages-http.module';
