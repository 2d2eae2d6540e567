export { OnboardingHttpModule } from './onboarding-http.module';
