export { UsersHttpModule } from './users-http.module';
export { listedUserShape } from './shapes';
