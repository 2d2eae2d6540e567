export { UsersHttpModule } from './users-http.module';
export { PastRequests } from './past-requests';
export { listedUserShape, userShape } from './shapes';
export { rateLimitKey } from './sign-in/rate-limit-key';
