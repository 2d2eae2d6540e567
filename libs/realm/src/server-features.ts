import type { ServerSignIn } from './server-sign-in';
import { PASSWORDS_ONLY } from './server-sign-in';

/** Features that the operator of this server allows its organizations. */
export class ServerFeatures {
  /**
   * @param webPublicChannels they may open channels to visitors who are not logged in (`ANNALS_WEB_PUBLIC_CHANNELS`)
   * @param maxUploadMib greatest size of one uploaded file (`ANNALS_MAX_UPLOAD_MIB`)
   * @param uploadQuotaMib limit of all files of one organization (`ANNALS_UPLOAD_QUOTA_MIB`), null for no limit
   * @param pushNotifications their members can receive notifications on phones (`ANNALS_PUSH_BOUNCER_URL`)
   * @param signIn their members can log in in these ways (`ANNALS_SIGN_ON_FILE`)
   */
  constructor(
    readonly webPublicChannels: boolean,
    readonly maxUploadMib: number,
    readonly uploadQuotaMib: number | null,
    readonly pushNotifications: boolean,
    readonly signIn: ServerSignIn = PASSWORDS_ONLY,
  ) {}
}
