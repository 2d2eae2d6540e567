import type { RequestInfo } from '@annals/web';
import type { ScimTarget } from '../../application/scim/scim-requests';
import { versionsIn } from '../../domain/scim/precondition';

/** The resource that a request changes, with the version that its header `If-Match` requires. */
export const targetOf = ({ id }: { readonly id: string }, info: RequestInfo): ScimTarget => ({
  id,
  versions: versionsIn(info.header('If-Match')),
});
