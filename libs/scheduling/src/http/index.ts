export { SchedulingHttpModule } from './scheduling-http.module';
