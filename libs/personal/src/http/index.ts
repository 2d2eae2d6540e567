export { PersonalHttpModule } from './personal-http.module';
