import { ACCOUNT_WRITES, DIRECTORY_WRITES, LEAVING_WRITES } from './accounts';
import { CONVERSATION_WRITES } from './conversations';
import { FORM_WRITES } from './forms';
import { ORGANIZATION_WRITES } from './organization';
import type { Writes } from './write';

/** A request to each endpoint that writes. */
export const WRITES: Writes = {
  ...CONVERSATION_WRITES,
  ...ORGANIZATION_WRITES,
  ...DIRECTORY_WRITES,
  ...ACCOUNT_WRITES,
  ...LEAVING_WRITES,
  ...FORM_WRITES,
  'POST /api/v1/realm/deactivate': {},
};
