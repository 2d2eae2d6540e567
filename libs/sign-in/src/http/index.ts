export { SignInPagesModule } from './sign-in-pages.module';
export { SingleSignOnHttpModule } from './single-sign-on/single-sign-on-http.module';
