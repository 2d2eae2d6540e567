import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** An invitation as `GET /invites` shows it. */
export interface ShownInvitation {
  readonly id: number;
  readonly is_multiuse: boolean;
  readonly email?: string;
  readonly link_url?: string;
  readonly [field: string]: unknown;
}

/** Invites people by mail. */
export const invite = (by: Person, invitee_emails: string, more: Params = {}) =>
  by.post('/invites', { invitee_emails, stream_ids: [], ...more });

/** Creates an invitation link. */
export const createLink = (by: Person, more: Params = {}) =>
  by.post<{ invite_link: string }>('/invites/multiuse', more);

/** The invitations that somebody sees. */
export const invitationsOf = async (by: Person): Promise<ShownInvitation[]> =>
  granted(await by.get<{ invites: ShownInvitation[] }>('/invites')).invites;

/** The invitation for an address, as somebody sees it. */
export async function invitationFor(by: Person, email: string): Promise<ShownInvitation> {
  const found = (await invitationsOf(by)).find((one) => one.email === email);
  if (!found) throw new Error(`${email} is not invited`);
  return found;
}

/** The answer to a request that is refused. */
export const refusedWith = (code: string, more: object = {}) => ({ status: 400, body: { code, ...more } });
