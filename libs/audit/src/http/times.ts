export { rfc3339 } from '../read/times';
