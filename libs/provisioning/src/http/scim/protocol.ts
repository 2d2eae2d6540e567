import type { Protocol } from '@annals/web';
import { scimTypeOf } from '../../domain/scim/rejections';

export const SCIM_TYPE = 'application/scim+json';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The body of a failure (RFC 7644 section 3.12). */
export function scimError(status: number, detail: string, scimType?: string) {
  return { schemas: [ERROR], status: String(status), ...(scimType !== undefined && { scimType }), detail };
}

/** SCIM 2.0 (RFC 7644). */
export const SCIM: Protocol = {
  base: '/scim/v2',
  mediaType: SCIM_TYPE,
  challenge: 'Bearer realm="scim"',
  failure: (status, code, message) => scimError(status, message, scimTypeOf(status, code)),
};
