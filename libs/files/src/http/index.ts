export { FilesHttpModule } from './files-http.module';
export { attachmentShape } from './shapes';
