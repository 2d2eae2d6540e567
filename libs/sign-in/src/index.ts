export { signInContext } from './sign-in.context';
