/** What the administrator of this server allows its organizations. */
export class ServerFeatures {
  /** @param webPublicChannels they may open channels to visitors who are not logged in (`ANNALS_WEB_PUBLIC_CHANNELS`) */
  constructor(readonly webPublicChannels: boolean) {}
}
